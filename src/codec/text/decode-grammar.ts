import type { DecodeContext, Decoded } from '../contract.ts';
import { CodecError } from '../errors.ts';
import { toLatin1 } from '../reader.ts';
import type { Grammar } from './grammar.ts';
import { TextRecord, type Variables } from './record.ts';

/** The variable of a grammar that holds the id of the device, for `decodeGrammar`. */
export const DEVICE_ID = 'id';

/** The record of a text that a grammar matches. Throws CodecError `bad-text` if it does not match. */
export function matchRecord(match: Grammar, text: string, variables?: Variables): TextRecord {
  const record = new TextRecord(variables);
  if (match(text, record) < 0) throw new CodecError('bad-text', 'the fields are in no known order');
  return record;
}

/** `decode` of messages that a grammar matches: each names its device in the variable `DEVICE_ID`, and is a position. */
export const decodeGrammar =
  <State>(match: Grammar) =>
  (frame: Uint8Array, { state }: DecodeContext<State>): Decoded<State> => {
    const record = matchRecord(match, toLatin1(frame));
    const login = { type: 'login', ids: [String(record.variables[DEVICE_ID])] } as const;
    return { state, messages: [login, record.toPosition()], replies: [] };
  };
