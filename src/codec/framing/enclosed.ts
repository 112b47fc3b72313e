import type { FrameResult, Scan } from '../contract.ts';
import { type Framing, framingWith } from './framing.ts';
import { startsOf } from './starts.ts';

/** Frames between two equal marks, with escapes for what may not stand inside. */
interface Enclosed {
  /** first and last byte of a frame */
  readonly mark: number;
  /** first byte of an escape */
  readonly escape: number;
  /** what the second byte of an escape stands for; any other pair is dropped */
  readonly meanings: ReadonlyMap<number, number>;
  /** largest frame as it is on the wire, in bytes */
  readonly maxBytes: number;
}

/**
 * Frames from mark to mark, `content` without escapes. Two marks in a row are the end of a frame that was lost and the
 * start of the next; so is a mark within an escape. The mark that ends a refused frame may begin the next one.
 */
export function enclosed(rules: Enclosed): Framing {
  const { mark, maxBytes } = rules;
  return framingWith(startsOf([[mark]]), (bytes, { scan }): FrameResult => {
    if (bytes[0] !== mark) return { type: 'skip', bytes: orAll(bytes.indexOf(mark), bytes) };
    const window = bytes.length > maxBytes ? bytes.subarray(0, maxBytes) : bytes;
    const at = window.indexOf(mark, known(scan, rules));
    if (at === 1) return { type: 'skip', bytes: 1 };
    if (at > 0) return close(window, at, rules);
    return window.length < maxBytes
      ? { type: 'wait', scan: { by: rules, to: window.length } }
      : { type: 'skip', bytes: window.length };
  });
}

const known = (scan: Scan | undefined, rules: Enclosed): number => (scan?.by === rules ? scan.to : 1);
const orAll = (at: number, bytes: Uint8Array): number => (at < 0 ? bytes.length : at);

function close(bytes: Uint8Array, at: number, rules: Enclosed): FrameResult {
  const content = plain(bytes, at, rules);
  return content === undefined
    ? { type: 'skip', bytes: at }
    : { type: 'frame', start: 0, end: at + 1, content, resumeAt: at };
}

/** Undefined if the last mark belongs to an escape. */
function plain(bytes: Uint8Array, end: number, { escape: lead, meanings }: Enclosed): Uint8Array | undefined {
  const content = new Uint8Array(end + 1);
  let length = 0;
  for (let at = 0; at <= end; at++) {
    const byte = bytes[at]!;
    if (byte !== lead) {
      content[length++] = byte;
      continue;
    }
    if (at + 1 === end) return undefined;
    at += 1;
    const meaning = meanings.get(bytes[at]!);
    if (meaning !== undefined) content[length++] = meaning;
  }
  return content.subarray(0, length);
}
