import { concat } from '../../support/random.ts';
import { countReads, ReadCounter } from './read-counter.ts';
import { frameCasesOf, type Rule, type Subject } from './subject.ts';

/** Most bytes that framing and checksum may read per byte received. */
export const MOST_PER_BYTE = 4;
/**
 * The same where every byte arrives alone: framers keep how far they have searched, not what they read in a header, so
 * that each byte which completes a part of one makes them read the header again.
 */
const MOST_PER_SINGLE_BYTE = 8;
/** Beyond that, the first frame of a stream may be read so much more. */
const FIRST_BYTES = 1_024;

const [LEAST_BYTES, MOST_BYTES] = [4_096, 8_192];
const [CHUNKED_BYTES, CHUNK] = [2_048, 97];
const SINGLE_BYTES = 512;
/** of the stream that has cost the most, to show that the work does not grow with its size */
const LARGE_BYTES = 262_144;
const NOW = Date.UTC(2024, 5, 1);

/** Bytes that are read while a stream is pushed in chunks, and how many were pushed. */
export function countWork(subject: Subject, stream: Uint8Array, chunk: number): { read: number; received: number } {
  const counter = new ReadCounter();
  const driver = subject.drive(countReads(subject.protocol, counter), { transport: 'tcp', options: {} });
  let received = 0;
  while (received < stream.length) {
    const steps = driver.push(stream.slice(received, received + chunk), NOW);
    received = Math.min(stream.length, received + chunk);
    if (steps.some(({ type }) => type === 'lost')) break;
  }
  return { read: counter.count, received };
}

/** Bytes of a head, with lengths that the protocol believes at each place where one may stand. */
function claims(head: Uint8Array, most: number): Uint8Array[] {
  return [2, 3, 4, 5].flatMap((at) =>
    [most - 40, 1_500].flatMap((length) => {
      const value = Math.min(length, most - 40, 65_000);
      const [big, little] = [head.slice(0, 12), head.slice(0, 12)];
      if (at + 2 > big.length) return [];
      big.set([value >> 8, value & 0xff], at);
      little.set([value & 0xff, value >> 8], at);
      return [big, little];
    }),
  );
}

/** A frame of each kind, by its first two bytes. */
function framesOf(subject: Subject): Uint8Array[] {
  const byHead = new Map<number, Uint8Array>();
  for (const { wire, fixture } of frameCasesOf(subject)) {
    const head = (wire[0]! << 8) | (wire[1] ?? 0);
    if (fixture.transport === 'tcp' && !byHead.has(head)) byHead.set(head, wire);
  }
  return [...byHead.values()].slice(0, 4);
}

interface Opening {
  readonly what: string;
  readonly head: Uint8Array;
  readonly unit: Uint8Array;
}

const NOTHING = new Uint8Array(0);
const nameOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 12)).toString('hex');

/** Streams of beginnings: a part of a frame, then the same first bytes over and over. */
function* openingsOf(subject: Subject): Generator<Opening> {
  const frames = framesOf(subject);
  for (const frame of frames) {
    const name = nameOf(frame.subarray(0, 6));
    for (const bytes of [1, 2, 3, 4, 8, 20])
      yield { what: `${bytes} bytes of ${name} repeated`, head: NOTHING, unit: frame.slice(0, bytes) };
    for (const bytes of [2, 8, 20, frame.length - 1])
      yield {
        what: `${bytes} bytes of ${name}, then 4 repeated`,
        head: frame.slice(0, bytes),
        unit: frame.slice(0, 4),
      };
    for (const filler of [0x41, 0x30, 0x7d, 0x00])
      yield { what: `${name} without an end, ${filler}`, head: frame.slice(0, 6), unit: Uint8Array.of(filler) };
    for (const claim of claims(frame, subject.protocol.maxFrameBytes))
      yield { what: `a length that is wrong: ${nameOf(claim)}`, head: NOTHING, unit: claim };
    for (const other of frames)
      if (other !== frame)
        yield {
          what: `${name} and ${nameOf(other)}`,
          head: NOTHING,
          unit: concat(frame.slice(0, 3), other.slice(0, 3)),
        };
  }
}

const repeat = ({ head, unit }: Opening, size: number): Uint8Array =>
  concat(head, new Uint8Array(Buffer.alloc(Math.max(0, size - head.length), unit)));

/** Sends the protocol its worst openings: whole, in chunks, and byte by byte. */
export function workProblems(subject: Subject): string[] {
  const problems: string[] = [];
  const size = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, 4 * subject.protocol.maxFrameBytes));
  let worst: { perByte: number; opening: Opening | undefined } = { perByte: 0, opening: undefined };
  const check = (opening: Opening, how: string, bytes: number, chunk: number, most: number): number => {
    const { read, received } = countWork(subject, repeat(opening, bytes), chunk);
    if (read > most * received + FIRST_BYTES)
      problems.push(`${(read / received).toFixed(1)} bytes read per byte received: ${opening.what}, ${how}`);
    return read / received;
  };
  for (const opening of openingsOf(subject)) {
    const perByte = check(opening, 'whole', size, size, MOST_PER_BYTE);
    if (perByte > worst.perByte) worst = { perByte, opening };
    check(opening, 'in chunks', CHUNKED_BYTES, CHUNK, MOST_PER_BYTE);
    check(opening, 'byte by byte', SINGLE_BYTES, 1, MOST_PER_SINGLE_BYTE);
    if (problems.length >= 5) return problems;
  }
  if (worst.opening !== undefined)
    check(worst.opening, `${LARGE_BYTES} bytes`, LARGE_BYTES, LARGE_BYTES, MOST_PER_BYTE);
  return problems;
}

export const linearWork: Rule = {
  name: 'reads each byte of its worst openings a few times at most',
  check: (subject) => (subject.protocol.transports.includes('tcp') ? workProblems(subject) : []),
};
