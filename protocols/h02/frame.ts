import type { FrameContext, FrameResult, Scan, Transport } from '#codec';
import { LONG_RECORD, SHORT_RECORD, WIDE_ID_RECORD } from './elements.ts';

/** What a connection has taught about its binary records. */
export interface H02State {
  /** learned from what followed the first record */
  readonly recordBytes?: number;
  /** the last frame was the head of a record whose length is not known yet */
  readonly probing: boolean;
}

export const MAX_FRAME_BYTES = 2_048;

const STAR = 0x2a;
const DOLLAR = 0x24;
const HASH = 0x23;
const X = 0x58;
const COMMA = 0x2c;
/** where the next record begins behind the short part of a long one */
const TAIL = LONG_RECORD - SHORT_RECORD;
/** a first record is followed by the next within so many bytes, or it is followed by noise */
const PROBE = 64;

type Match = 'no' | 'more' | 'yes';

/** The length of records that an installer has set, if any. */
export function configuredLength(context: FrameContext<H02State>): number | undefined {
  const length = context.options['recordBytes'];
  return typeof length === 'number' && Number.isInteger(length) && length >= SHORT_RECORD && length <= 128
    ? length
    : undefined;
}

/**
 * Sentences end at `#`; records have 32 bytes, or 45. A record's meaning lies in its first 32, so the first one is cut
 * there, and whether the next begins at once or 13 bytes later determines the length: nothing depends on how bytes arrive.
 */
export function frame(bytes: Uint8Array, context: FrameContext<H02State>): FrameResult {
  if (context.transport === 'udp') return { type: 'frame', start: 0, end: bytes.length };
  const configured = configuredLength(context);
  const length = configured ?? context.state.recordBytes;
  const known = context.scan?.by === SENTENCE_END ? context.scan : undefined;
  if (known?.begun === true) return sentence(bytes, known);
  if (context.state.probing && length === undefined) {
    const probed = probe(bytes, context.scan?.by === TAIL_END ? context.scan.to : 0);
    if (probed !== undefined) return probed;
  }
  const { at, match } = findHead(bytes, 0, length);
  if (at < 0) return { type: 'skip', bytes: bytes.length };
  if (at > 0) return { type: 'skip', bytes: at };
  if (match === 'more') return { type: 'wait', atLeast: bytes[0] === STAR ? 4 : bcdBytes(length) };
  if (bytes[0] === STAR) return sentence(bytes, known);
  const end = length ?? SHORT_RECORD;
  if (bytes.length < end) return { type: 'wait', atLeast: end };
  // X records are known by name only.
  return bytes[0] === X ? { type: 'skip', bytes: end } : { type: 'frame', start: 0, end };
}

/** of the search for a head behind the first record */
const TAIL_END = {};

/** Behind the short part of the first record; undefined if the next head follows at once. `[0, from)` holds no head. */
function probe(bytes: Uint8Array, from: number): FrameResult | undefined {
  const { at } = findHead(bytes, from, undefined, PROBE);
  if (at === 0) return undefined;
  if (at < 0 && bytes.length < PROBE) return { type: 'wait', scan: { by: TAIL_END, to: bytes.length } };
  if (at < 0) return { type: 'skip', bytes: PROBE };
  // A tail may end in a byte that looks like a head; the place where the next record belongs is believed first.
  const behindTail = at <= TAIL && bytes[at] !== STAR ? looksLikeHead(bytes, TAIL, undefined) : 'no';
  if (behindTail === 'more' || looksLikeHead(bytes, at, undefined) === 'more') return { type: 'wait' };
  if (behindTail === 'no') return { type: 'skip', bytes: at };
  if (bytes[TAIL] !== DOLLAR) return { type: 'skip', bytes: TAIL };
  const end = TAIL + LONG_RECORD;
  return bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: TAIL, end };
}

/** First place from `from` on that is not known to be no head; -1 where there is none. */
function findHead(
  bytes: Uint8Array,
  from: number,
  length: number | undefined,
  furthest = Number.POSITIVE_INFINITY,
): { at: number; match: Match } {
  for (let at = from; at < bytes.length && at <= furthest; at++) {
    const byte = bytes[at]!;
    if (byte !== STAR && byte !== DOLLAR && byte !== X) continue;
    const match = looksLikeHead(bytes, at, length);
    if (match !== 'no') return { at, match };
  }
  return { at: -1, match: 'no' };
}

/**
 * A sentence begins `*`, two letters or digits, comma; a record has BCD for its id, time and date. An X record must
 * have a time of day and a date as well: otherwise a record may follow at once.
 */
function looksLikeHead(bytes: Uint8Array, at: number, length: number | undefined): Match {
  const head = bytes[at];
  if (head === undefined) return 'more';
  if (head === STAR) return looksLikeSentence(bytes, at);
  if (head === DOLLAR) return hasBcd(bytes, at, length);
  return head === X ? looksLikeRecord(bytes, at, length) : 'no';
}

/** mark, id, time and date */
const bcdBytes = (length: number | undefined): number => (length === WIDE_ID_RECORD ? 15 : 12);

function hasBcd(bytes: Uint8Array, at: number, length: number | undefined): Match {
  const end = at + bcdBytes(length);
  for (let i = at + 1; i < end; i++) {
    const byte = bytes[i];
    if (byte === undefined) return 'more';
    // the last digit of a wide id is a filler
    const filler = length === WIDE_ID_RECORD && i === at + 8;
    if (byte > 0x99 || (!filler && (byte & 0x0f) > 9)) return 'no';
  }
  return 'yes';
}

function looksLikeRecord(bytes: Uint8Array, at: number, length: number | undefined): Match {
  const match = hasBcd(bytes, at, length);
  const clock = at + (length === WIDE_ID_RECORD ? 9 : 6);
  return match === 'yes' && !isCalendar(bytes.subarray(clock)) ? 'no' : match;
}

/** Time of day and date, BCD. */
function isCalendar([hour, minute, second, day, month]: Uint8Array): boolean {
  return hour! < 0x24 && minute! < 0x60 && second! < 0x60 && day! >= 1 && day! <= 0x31 && month! >= 1 && month! <= 0x12;
}

function looksLikeSentence(bytes: Uint8Array, at: number): Match {
  for (let i = at + 1; i < at + 4; i++) {
    const byte = bytes[i];
    if (byte === undefined) return 'more';
    if (i === at + 3 ? byte !== COMMA : !isAlphanumeric(byte)) return 'no';
  }
  return 'yes';
}

/** of the search for the end of a sentence */
const SENTENCE_END = {};

/** A sentence that another one interrupts is given up there. Of `known.to` bytes the meaning is known. */
function sentence(bytes: Uint8Array, known: Scan | undefined): FrameResult {
  let inner = known?.inner ?? 0;
  const most = Math.min(bytes.length, MAX_FRAME_BYTES);
  for (let at = Math.max(known?.to ?? 0, 4); at < most; at++) {
    const byte = bytes[at]!;
    if (byte === HASH) return inner > 0 ? { type: 'skip', bytes: inner } : { type: 'frame', start: 0, end: at + 1 };
    if (byte === COMMA) inner = startBefore(bytes, at) || inner;
    else if (isControl(byte)) return { type: 'skip', bytes: nextMarker(bytes, at + 1) };
  }
  const scan: Scan = { by: SENTENCE_END, to: most, inner, movable: true };
  if (most < MAX_FRAME_BYTES) return { type: 'wait', scan: { ...scan, begun: true } };
  const next = nextMarker(bytes, most);
  if (next >= most) return { type: 'skip', bytes: next };
  return { type: 'skip', bytes: next, scan: { ...scan, to: most - next, inner: Math.max(0, inner - next) } };
}

/** First byte that could begin something, of those that were looked at: the same however many more have come. */
function nextMarker(bytes: Uint8Array, end: number): number {
  for (let at = 1; at < end; at++) {
    const byte = bytes[at];
    if (byte === STAR || byte === DOLLAR || byte === X) return at;
  }
  return end;
}

/**
 * A sentence that was cut off is followed by a whole one: `*`, vendor, 10 to 15 digits, comma. Where one begins that
 * has its second comma at `end`; 0 where none does.
 */
function startBefore(bytes: Uint8Array, end: number): number {
  let at = end - 1;
  while (at >= end - 16 && isDigit(bytes[at])) at -= 1;
  const digits = end - 1 - at;
  if (digits < 10 || digits > 15 || bytes[at] !== COMMA || at < 4) return 0;
  return bytes[at - 3] === STAR && looksLikeSentence(bytes, at - 3) === 'yes' ? at - 3 : 0;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isAlphanumeric = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);
const isControl = (byte: number): boolean => byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09;

const SENTENCE = /^\*[A-Za-z]{2},(?:\d{10}|\d{15})?,(?:V\d|VP1|NBR|LINK|HTBT|SMS|XT|BS|BASE)[,#]/;
/** enough for the longest head that SENTENCE reads */
const IDENTIFY_BYTES = 26;

/** A sentence by its vendor, id and type; a record by BCD fields that make a time of day and a date. */
export function identify(bytes: Uint8Array, _transport: Transport): 'yes' | 'no' | 'more' {
  const head = bytes[0];
  if (head === undefined) return 'more';
  if (head === STAR) {
    const match = looksLikeSentence(bytes, 0);
    if (match !== 'yes') return match;
    const text = String.fromCharCode(...bytes.subarray(0, IDENTIFY_BYTES));
    if (SENTENCE.test(text)) return 'yes';
    return bytes.length < IDENTIFY_BYTES && !text.includes('#') ? 'more' : 'no';
  }
  if (head !== DOLLAR || isJointechRecord(bytes)) return 'no';
  const matches = [looksLikeFix(bytes, SHORT_RECORD), looksLikeFix(bytes, WIDE_ID_RECORD)];
  return matches.includes('yes') ? 'yes' : matches.includes('more') ? 'more' : 'no';
}

/** Others begin `$` too: here a place on the globe follows time and date. */
function looksLikeFix(bytes: Uint8Array, length: number): Match {
  const match = looksLikeRecord(bytes, 0, length);
  if (match !== 'yes') return match;
  const at = length === WIDE_ID_RECORD ? 15 : 12;
  if (bytes.length < at + 9) return 'more';
  const isLatitude = bytes[at]! < 0x90 && bytes[at + 1]! < 0x60 && areBcd(bytes.subarray(at, at + 4));
  return isLatitude && bytes[at + 5]! <= 0x18 && areBcd(bytes.subarray(at + 5, at + 9)) ? 'yes' : 'no';
}

/**
 * Jointech's trackers and locks (`jt600`) send `$`, an id of ten digits, version and type in one byte (0x11) or in two, a
 * length of which the first byte is zero, date and time. A wide id that ends in zero looks so in few of its records.
 */
function isJointechRecord(bytes: Uint8Array): boolean {
  const isTracker = bytes[6] === 0x11 && bytes[7] === 0;
  return (isTracker && hasDateAt(bytes, 9)) || (bytes[8] === 0 && hasDateAt(bytes, 10));
}

/** Day, month, year, time of day, BCD. */
function hasDateAt(bytes: Uint8Array, at: number): boolean {
  const [day, month, , hour, minute, seconds] = bytes.subarray(at, at + 6);
  return seconds !== undefined && isCalendar(Uint8Array.of(hour!, minute!, seconds, day!, month!));
}

const areBcd = (bytes: Uint8Array): boolean => bytes.every((byte) => byte <= 0x99 && (byte & 0x0f) <= 9);
