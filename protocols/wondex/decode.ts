import { type DecodeContext, type Decoded, Reader, statusPosition, storedReply, toLatin1 } from '#codec';
import { decodeGrammar } from '#codec/text';
import { KEEP_ALIVE } from './frame.ts';
import { REPORT } from './tables.ts';

const ID_AT = 4;
const ANSWER = /^\$(OK|ERR|MSG):/;
const decodeReport = decodeGrammar<undefined>(REPORT);

export function decode(frame: Uint8Array, context: DecodeContext<undefined>): Decoded<undefined> {
  const { state } = context;
  if (frame[0] === KEEP_ALIVE) {
    const id = String(new Reader(frame, ID_AT).u32LE());
    // sent back as it is
    const replies = [storedReply(frame.slice())];
    return { state, messages: [{ type: 'login', ids: [id] }, { type: 'heartbeat' }], replies };
  }
  const text = toLatin1(frame).trim();
  const kind = ANSWER.exec(text)?.[1];
  if (kind === undefined) return decodeReport(frame, context);
  const result = statusPosition({ result: text });
  if (kind === 'MSG') return { state, messages: [result], replies: [] };
  const outcome = kind === 'OK' ? 'done' : 'refused';
  return { state, messages: [result, { type: 'answer', outcome, text }], replies: [] };
}
