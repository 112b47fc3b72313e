import type { FrameResult, Scan } from '../contract.ts';
import { type Framing, framingWith } from './framing.ts';
import { type Pattern, type Starts, toStarts } from './starts.ts';

/** Frames that run from a start to an end. */
export interface Delimited {
  readonly starts: readonly Pattern[] | Starts;
  /** texts that end a frame, each of one or two characters, such as `#` or `##` */
  readonly ends: readonly string[];
  /** largest frame with its end, in bytes */
  readonly maxBytes: number;
  /** `whole` (default): the frame is decoded as it is on the wire; `line`: without its end and a CR before it */
  readonly content?: 'whole' | 'line';
  /**
   * What a start inside of a frame means. `part` (default): nothing. `restarts`: the frame was cut off, and the last
   * start before the end begins another. `restarts-at-once`: so does the first, without an end.
   */
  readonly inner?: 'part' | 'restarts' | 'restarts-at-once';
  /** a character that encloses text in which neither start nor end counts */
  readonly quote?: string;
  /** what the bytes of a frame are, `[least, most]`: a frame ends without an end before any other */
  readonly within?: readonly [least: number, most: number];
  /** offset at which the search continues behind a frame whose checksum is wrong; default: behind the frame */
  readonly resumeAt?: number;
}

const CR = 0x0d;
const [END, QUOTE, START, OUTSIDE] = [1, 2, 4, 8];

/** One shape for all tables, since every frame reads them. */
interface Rules {
  readonly maxBytes: number;
  readonly isLine: boolean;
  readonly restarts: boolean;
  readonly hasQuotes: boolean;
  readonly resumeAt: number | undefined;
  readonly start: Starts;
  /** 1 for a byte that may be the first of a start */
  readonly firsts: Uint8Array;
  /** what a byte may be, by its value */
  readonly kinds: Uint8Array;
  /** the only byte that matters, if there is only one */
  readonly only: number | undefined;
  /** second byte of a two-byte end, by its first */
  readonly seconds: ReadonlyMap<number, number>;
}

function rulesOf(table: Delimited): Rules {
  const start = toStarts(table.starts);
  const kinds = new Uint8Array(256);
  for (const end of table.ends) kinds[end.charCodeAt(0)]! |= END;
  if (table.quote !== undefined) kinds[table.quote.charCodeAt(0)]! |= QUOTE;
  const [least, maxBytes] = table.within ?? [0, 255];
  for (let byte = 0; byte < 256; byte++)
    if (kinds[byte] === 0 && (byte < least || byte > maxBytes)) kinds[byte] = OUTSIDE;
  const firsts = Uint8Array.from({ length: 256 }, (_, byte) => (start.begins(Uint8Array.of(byte), 0) === 'no' ? 0 : 1));
  if (table.inner === 'restarts-at-once')
    for (let byte = 0; byte < 256; byte++) if (firsts[byte] === 1) kinds[byte]! |= START;
  const marked = [...kinds.keys()].filter((byte) => kinds[byte] !== 0);
  const seconds = new Map(
    table.ends.flatMap((end) => (end.length > 1 ? [[end.charCodeAt(0), end.charCodeAt(1)] as const] : [])),
  );
  const only = marked.length === 1 && seconds.size === 0 ? marked[0] : undefined;
  return {
    maxBytes: table.maxBytes,
    isLine: table.content === 'line',
    restarts: table.inner === 'restarts',
    hasQuotes: table.quote !== undefined,
    resumeAt: table.resumeAt,
    start,
    firsts,
    kinds,
    only,
    seconds,
  };
}

/**
 * Frames from their start to their end. A byte is searched once: what was searched without finding an end is kept with
 * `wait`, and with the step from a start that was given up to the next one.
 */
export function delimited(table: Delimited): Framing {
  const rules = rulesOf(table);
  return framingWith(rules.start, (bytes, { scan }) => {
    const known = scan?.by === rules ? scan : undefined;
    if (known?.begun !== true) {
      const match = rules.start.begins(bytes, 0);
      if (match === 'no') return { type: 'skip', bytes: Math.max(rules.start.find(bytes, 0), 1) };
      if (match === 'more') return { type: 'wait', atLeast: Math.max(rules.start.bytes, bytes.length + 1) };
    }
    const window = bytes.length > rules.maxBytes ? bytes.subarray(0, rules.maxBytes) : bytes;
    return rules.only === undefined ? searchAll(window, rules, known) : searchOne(window, rules, known);
  });
}

function searchOne(bytes: Uint8Array, rules: Rules, scan: Scan | undefined): FrameResult {
  const at = bytes.indexOf(rules.only!, scan?.to ?? 1);
  return at < 0 ? endless(bytes, rules, bytes.length, 0) : endsAt(bytes, rules, at, at + 1);
}

function searchAll(bytes: Uint8Array, rules: Rules, scan: Scan | undefined): FrameResult {
  const { kinds, seconds } = rules;
  let quoted = scan?.depth ?? 0;
  for (let at = scan?.to ?? 1; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const kind = kinds[byte]!;
    if (kind === 0) continue;
    if ((kind & QUOTE) !== 0) quoted = 1 - quoted;
    if (quoted === 1) continue;
    if ((kind & (START | OUTSIDE)) !== 0) return { type: 'skip', bytes: at };
    if ((kind & END) === 0) continue;
    const second = seconds.get(byte);
    if (second === undefined) return endsAt(bytes, rules, at, at + 1);
    if (at + 1 === bytes.length) return endless(bytes, rules, at, quoted);
    if (bytes[at + 1] === second) return endsAt(bytes, rules, at, at + 2);
  }
  return endless(bytes, rules, bytes.length, quoted);
}

/** No end in `[0, searched)`. */
function endless(bytes: Uint8Array, rules: Rules, searched: number, depth: number): FrameResult {
  // Of a start within quotes nothing is known; of any other one, that no end follows it as far as it was searched.
  const movable = !rules.hasQuotes;
  if (bytes.length < rules.maxBytes)
    return { type: 'wait', scan: { by: rules, to: searched, depth, begun: true, movable } };
  const next = rules.start.find(bytes, 1);
  if (!movable || searched <= next) return { type: 'skip', bytes: next };
  const begun = next + rules.start.bytes <= bytes.length;
  return { type: 'skip', bytes: next, scan: { by: rules, to: searched - next, begun, movable } };
}

function endsAt(bytes: Uint8Array, rules: Rules, at: number, end: number): FrameResult {
  if (rules.restarts) {
    const inner = lastStart(bytes, at, rules);
    if (inner > 0) return { type: 'skip', bytes: inner, scan: { by: rules, to: at - inner, begun: true } };
  }
  if (rules.isLine) {
    const content = bytes.subarray(0, at > 0 && bytes[at - 1] === CR ? at - 1 : at);
    return { type: 'frame', start: 0, end, content };
  }
  const { resumeAt } = rules;
  return resumeAt === undefined ? { type: 'frame', start: 0, end } : { type: 'frame', start: 0, end, resumeAt };
}

/** The last start in `[1, end)`; 0 if there is none. */
function lastStart(bytes: Uint8Array, end: number, { start, firsts }: Rules): number {
  for (let at = end - 1; at > 0; at--) if (firsts[bytes[at]!] === 1 && start.begins(bytes, at) === 'yes') return at;
  return 0;
}
