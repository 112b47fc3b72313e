import { CodecError, type DecodeContext, type Decoded, Reader, toLatin1 } from '#codec';
import { Fields } from '#codec/text';
import { readBinary, readZip } from './binary.ts';
import { type SuntechState, ZIP } from './frame.ts';
import type { Reading } from './record.ts';
import { read400, read900, readJourney, readLegacy, readUniversal } from './text.ts';

const ID = /^[A-Za-z0-9]{1,20}$/;
/** a model and nothing else, or a universal type */
const SHORTEST_TYPED = 5;

export function decode(frame: Uint8Array, context: DecodeContext<SuntechState>): Decoded<SuntechState> {
  if (frame[0] === ZIP) return decoded(context.state, readZip(new Reader(frame)));
  if (frame[1] === 0) return decoded(asUniversal(context.state), readBinary(new Reader(frame)));
  // a datagram is the whole frame, with the end of its line
  const fields = new Fields(
    toLatin1(frame)
      .replace(/\r\n?$/, '')
      .split(';'),
  );
  const prefix = fields.peek()!;
  return decoded(learned(context.state, prefix), readText(fields, prefix, context));
}

function readText(fields: Fields, prefix: string, { options }: DecodeContext<SuntechState>): Reading {
  if (prefix === 'CRR') throw new CodecError('unknown-type', 'crash reports are not read');
  if (prefix.length < SHORTEST_TYPED) return readUniversal(fields);
  if (prefix.endsWith('HTE')) return readJourney(fields);
  if (prefix.startsWith('ST9')) return read900(fields, options);
  if (prefix.startsWith('ST4')) return read400(fields);
  if (prefix.startsWith('S')) return readLegacy(fields, options);
  throw new CodecError('unknown-type', `no device of the family says ${prefix.slice(0, 16)}`, 0);
}

const asUniversal = (state: SuntechState): SuntechState => (state.universal ? state : { ...state, universal: true });

/** Commands are worded as the device words its messages. */
function learned(state: SuntechState, prefix: string): SuntechState {
  if (prefix.length < SHORTEST_TYPED) return asUniversal(state);
  const model = prefix.length > SHORTEST_TYPED ? prefix.slice(0, -3) : state.prefix;
  return model === state.prefix ? state : { ...state, prefix: model };
}

function decoded(state: SuntechState, { id, messages }: Reading): Decoded<SuntechState> {
  if (id === undefined) return { state, messages, replies: [] };
  if (!ID.test(id)) throw new CodecError('not-identified', 'the id is neither digits nor letters');
  return { state, messages: [{ type: 'login', ids: [id] }, ...messages], replies: [] };
}
