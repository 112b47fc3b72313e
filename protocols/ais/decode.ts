import { type DecodeContext, type Decoded, type Message, toLatin1 } from '#codec';
import { SENTENCE } from './frame.ts';
import { readMessage } from './messages.ts';

/** Payloads of messages whose sentences have not all come, by their sequence number and channel. */
export interface Parts {
  readonly [key: string]: { readonly payload: string; readonly count: number };
}

export const NO_PARTS: Parts = {};
/** Sequence numbers have one digit, channels are A and B. */
const MAX_PARTS = 20;

/** Every sentence of the frame: one on a stream, any number in a datagram. */
export function decode(frame: Uint8Array, { state, now }: DecodeContext<Parts>): Decoded<Parts> {
  const messages: Message[] = [];
  let parts = state;
  for (const line of toLatin1(frame).split(/\r?\n/)) {
    const match = SENTENCE.exec(line);
    if (match === null) continue;
    const [, tags = '', , , count, index, sequence = '', channel = '', payload = ''] = match;
    const key = sequence + channel;
    const before = Number(index) === 1 ? '' : parts[key]?.payload;
    if (before === undefined || (Number(index) > 1 && parts[key]!.count !== Number(index) - 1)) continue;
    const { [key]: _, ...others } = parts;
    parts = others;
    if (index === count) {
      const position = readMessage(before + payload, timeOf(tags, line) ?? now);
      if (position !== undefined) messages.push(position);
    } else if (Object.keys(parts).length < MAX_PARTS)
      parts = { ...parts, [key]: { payload: before + payload, count: Number(index) } };
  }
  return { state: parts, messages, replies: [] };
}

/** Below this a time is in seconds. */
const SECONDS = 1e11;

/** `c:` of a tag block: Unix time in seconds, or in ms. Some receivers write the block behind the sentence. */
function timeOf(tags: string, line: string): number | undefined {
  const digits = /(?:^|[\\,])c:(\d{9,13})/.exec(tags === '' ? line : tags)?.[1];
  if (digits === undefined) return undefined;
  const time = Number(digits);
  return time < SECONDS ? time * 1_000 : time;
}
