import {
  type DecodeContext,
  type Decoded,
  Draft,
  KNOT_KMH,
  type Message,
  ninePlaces,
  type Position,
  toLatin1,
} from '#codec';
import { Bits } from './bits.ts';
import { SENTENCE } from './frame.ts';

/** Payloads of messages whose sentences have not all come, by their sequence number and channel. */
export interface Parts {
  readonly [key: string]: { readonly payload: string; readonly count: number };
}

export const NO_PARTS: Parts = {};
/** Sequence numbers have one digit, channels are A and B. */
const MOST_PARTS = 20;

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
    } else if (Object.keys(parts).length < MOST_PARTS)
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

const CLASS_A = new Set([1, 2, 3]);
const CLASS_B = new Set([18, 19]);
const AIRCRAFT = 9;
const MMSI_DIGITS = 9;
/** Numbers for what is not available. */
const [NO_TURN, NO_ALTITUDE, NO_SPEED, NO_COURSE, NO_HEADING] = [-128, 4095, 1023, 3600, 511];
/** coordinates are in ten thousandths of a minute */
const PER_DEGREE = 600_000;

/** A position report (ITU-R M.1371, annex 8). What is not available is left out. */
function readMessage(payload: string, time: number): Position | undefined {
  const bits = new Bits(payload);
  const type = bits.unsigned(6);
  if (!CLASS_A.has(type) && !CLASS_B.has(type) && type !== AIRCRAFT) return undefined;
  const draft = new Draft();
  const { attributes } = draft;
  bits.skip(2);
  draft.deviceId = String(bits.unsigned(30)).padStart(MMSI_DIGITS, '0');
  const altitude = type === AIRCRAFT ? bits.unsigned(12) : NO_ALTITUDE;
  if (CLASS_A.has(type)) readStatus(draft, bits);
  else if (CLASS_B.has(type)) bits.skip(8);
  const speed = bits.unsigned(10);
  attributes['differential'] = bits.unsigned(1) === 1;
  const longitude = ninePlaces(bits.signed(28) / PER_DEGREE);
  draft.setFix(time, true, ninePlaces(bits.signed(27) / PER_DEGREE), longitude);
  const course = bits.unsigned(12);
  draft.setMovement(
    altitude === NO_ALTITUDE ? undefined : altitude,
    speed === NO_SPEED ? undefined : speed * (type === AIRCRAFT ? KNOT_KMH : KNOT_KMH / 10),
    course >= NO_COURSE ? undefined : course / 10,
  );
  const heading = type === AIRCRAFT ? NO_HEADING : bits.unsigned(9);
  if (heading !== NO_HEADING) attributes['heading'] = heading;
  return draft.toPosition();
}

function readStatus({ attributes }: Draft, bits: Bits): void {
  attributes['status'] = bits.unsigned(4);
  const turn = bits.signed(8);
  if (turn !== NO_TURN) attributes['turn'] = turn;
}
