import { type DecodeContext, type Decoded, storedReply, toLatin1 } from '#codec';
import { decodeGrammar } from '#codec/text';
import { SYNC } from './frame.ts';
import { REPORT } from './tables.ts';

/** `$OK:` and what it was asked for; `$ERR:` and a number. */
const ANSWER = /^\$(OK|ERR):/;
const decodeReport = decodeGrammar<undefined>(REPORT);

export function decode(frame: Uint8Array, context: DecodeContext<undefined>): Decoded<undefined> {
  const { state } = context;
  // sent back as it is
  if (frame[0] === SYNC[0]) return { state, messages: [{ type: 'heartbeat' }], replies: [storedReply(frame.slice())] };
  const text = toLatin1(frame);
  const answer = ANSWER.exec(text)?.[1];
  if (answer === undefined) return decodeReport(frame, context);
  return { state, messages: [{ type: 'answer', outcome: answer === 'OK' ? 'done' : 'refused', text }], replies: [] };
}
