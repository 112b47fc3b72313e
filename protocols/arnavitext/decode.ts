import { CodecError, type DecodeContext, type Decoded, toLatin1 } from '#codec';
import { TextRecord } from '#codec/text';
import { FIX, ID } from './tables.ts';

const IS_FIX = /^\$AV,V\d,/;
const SENTENCE = /^\$AV,/;

/** Sentences of fixes alone name their device; the others report sensors, cells and the device itself. */
export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame);
  if (!SENTENCE.test(text)) throw new CodecError('bad-text', 'no sentence of the family', 0);
  if (!IS_FIX.test(text)) return { state, messages: [{ type: 'heartbeat' }], replies: [] };
  const record = new TextRecord();
  if (FIX(text, record) < 0) throw new CodecError('bad-text', 'the fields of a fix are in no known order');
  const login = { type: 'login', ids: [String(record.variables[ID])] } as const;
  return { state, messages: [login, record.toPosition()], replies: [] };
}
