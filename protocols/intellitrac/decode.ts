import { type DecodeContext, type Decoded, type Message, Reader, storedReply, toLatin1 } from '#codec';
import { decodeGrammar } from '#codec/text';
import { SYNC } from './frame.ts';
import { REPORT } from './tables.ts';

/** `$OK:` and what it was asked for; `$ERR:` and a number. */
const ANSWER = /^\$(OK|ERR):/;
const decodeReport = decodeGrammar<undefined>(REPORT);

/** Header, number of the packet, and the number of the device, all with the low byte first; the device gets it back as it is. */
function decodeSync(frame: Uint8Array): Pick<Decoded<undefined>, 'messages' | 'replies'> {
  const messages: Message[] = [{ type: 'heartbeat' }];
  const id = new Reader(frame, 4).u32LE();
  if (id !== 0) messages.unshift({ type: 'login', ids: [String(id)] });
  return { messages, replies: [storedReply(frame.slice())] };
}

export function decode(frame: Uint8Array, context: DecodeContext<undefined>): Decoded<undefined> {
  const { state } = context;
  if (frame[0] === SYNC[0]) return { state, ...decodeSync(frame) };
  const text = toLatin1(frame);
  const answer = ANSWER.exec(text)?.[1];
  if (answer === undefined) return decodeReport(frame, context);
  return { state, messages: [{ type: 'answer', outcome: answer === 'OK' ? 'done' : 'refused', text }], replies: [] };
}
