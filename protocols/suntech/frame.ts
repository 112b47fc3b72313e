import { type FrameResult, type Scan, type Transport, toLatin1 } from '#codec';
import { datagramsOr, type Framing, type Match } from '#codec/framing';
import { DATE_AND_TIME } from './elements.ts';
import { hasModelField } from './record.ts';

export const MAX_FRAME_BYTES = 2_048;

/** What a connection has taught about the words that the device understands. */
export interface SuntechState {
  readonly universal: boolean;
  /** of legacy commands: `ST300`, `SA200` */
  readonly prefix: string;
}

const CR = 0x0d;
const SEMICOLON = 0x3b;
export const ZIP = 0x02;
/** the length of serial data takes two bytes, of which the first is below this */
const MAX_BLOCKS = 3;
/** status, emergency, event, alert, serial data */
const ZIP_TYPES: ReadonlySet<number> = new Set([0x10, 0x11, 0x12, 0x13, 0x16]);
const MIN_BINARY_TYPE = 0x81;
const MAX_BINARY_TYPE = 0x84;
/** type and length; id and mask follow */
const BINARY_HEAD = 3;
const ZIP_HEAD = 4;

const PREFIX = /(?:S[AT]\d{3}(?:[A-Z]{3})?|CRR|BSA|BLE|RES|A?(?:ALV|STT|ALT|TRV|UEX))$/;
const [MIN_PREFIX_CHARS, MAX_PREFIX_CHARS] = [3, 8];
/** bytes by which a binary message is recognized */
const BINARY_START = 8;

/** A place where a message begins, or may begin with more bytes; how many bytes of its prefix are known. */
interface Place {
  readonly at: number;
  readonly match: Match;
  readonly prefix: number;
}

/**
 * The first place from the head on, of which `known` bytes are letters and digits. A prefix is recognized at its
 * semicolon, so that a run of letters is read once.
 */
function findStart(bytes: Uint8Array, known: number): Place {
  let run = known;
  for (let at = 0; at < bytes.length; ) {
    let behind = 0;
    while (run <= MAX_PREFIX_CHARS && at + run < bytes.length) {
      behind = bytes[at + run]!;
      if (!isWordByte(behind)) break;
      run += 1;
    }
    if (run > MAX_PREFIX_CHARS) {
      at += 1;
      run -= 1;
      continue;
    }
    if (at + run === bytes.length && run > 0) return { at, match: 'more', prefix: run };
    if (run > 0) {
      const text = run >= MIN_PREFIX_CHARS && behind === SEMICOLON ? toLatin1(bytes, at, at + run) : '';
      const index = text.search(PREFIX);
      if (index >= 0) return { at: at + index, match: 'yes', prefix: run - index };
      at += run;
      run = 0;
    }
    const match = beginsOther(bytes, at, behind);
    if (match !== 'no') return { at, match, prefix: 0 };
    at += 1;
  }
  return { at: bytes.length, match: 'no', prefix: 0 };
}

function beginsOther(bytes: Uint8Array, at: number, head: number): Match {
  if (head === ZIP) return beginsZip(bytes, at);
  return head >= MIN_BINARY_TYPE && head <= MAX_BINARY_TYPE ? beginsBinary(bytes, at) : 'no';
}

const isWordByte = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a);

/** A length of one byte, and an id of five bytes of two digits. */
function beginsBinary(bytes: Uint8Array, at: number): Match {
  for (let i = 1; i < BINARY_START; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return 'more';
    if (i === 1 && byte !== 0) return 'no';
    if (i > 2 && (byte > 0x99 || (byte & 0x0f) > 9)) return 'no';
  }
  return 'yes';
}

function beginsZip(bytes: Uint8Array, at: number): Match {
  if (at + 3 < bytes.length) return bytes[at + 1]! < MAX_BLOCKS && ZIP_TYPES.has(bytes[at + 3]!) ? 'yes' : 'no';
  return at + 1 < bytes.length && bytes[at + 1]! >= MAX_BLOCKS ? 'no' : 'more';
}

/** Of the search for a start, and for the end of a text. */
const [START, END] = [{}, {}];

/** Binary messages by their length; text to its CR. Serial data may hold line ends: its length field counts them. */
export const frame: Framing = datagramsOr((bytes, { scan }) => {
  if (scan?.by === END && scan.begun) return cutText(bytes, scan.to);
  const { at, match, prefix } = findStart(bytes, scan?.by === START ? scan.to : 0);
  const known: Scan = { by: START, to: prefix };
  if (at > 0) return { type: 'skip', bytes: at, scan: known };
  if (match !== 'yes') return prefix > 0 ? { type: 'wait', scan: known } : { type: 'wait', atLeast: BINARY_START };
  if (bytes[0] === ZIP) return cutByLength(bytes, ZIP_HEAD);
  if (bytes[0]! >= MIN_BINARY_TYPE) return cutByLength(bytes, BINARY_HEAD);
  return cutText(bytes, 0);
});

function cutByLength(bytes: Uint8Array, around: number): FrameResult {
  const end = ((bytes[1]! << 8) | bytes[2]!) + around;
  return bytes.length < end ? { type: 'wait', atLeast: end } : { type: 'frame', start: 0, end };
}

/** `[0, from)` holds no CR, and no serial data. */
function cutText(bytes: Uint8Array, from: number): FrameResult {
  const window = bytes.length > MAX_FRAME_BYTES ? bytes.subarray(0, MAX_FRAME_BYTES) : bytes;
  let at = window.indexOf(CR, from);
  const serialEnd = at < 0 || !holdsSerialData(bytes) ? 0 : endOfSerialData(toLatin1(window));
  if (at >= 0 && at < serialEnd) at = window.indexOf(CR, serialEnd);
  if (at >= 0) {
    // A line feed that follows belongs to nothing; one inside of a sentence does not end it either.
    return { type: 'frame', start: 0, end: at + 1, content: bytes.subarray(0, at) };
  }
  if (window.length < MAX_FRAME_BYTES)
    return serialEnd > window.length
      ? { type: 'wait', atLeast: serialEnd + 1 }
      : { type: 'wait', scan: { by: END, to: serialEnd > 0 ? serialEnd : window.length, begun: true } };
  const next = findStart(window.subarray(1), 0);
  const skip = { type: 'skip', bytes: next.at + 1 } as const;
  return next.match === 'yes' && next.prefix > 0 && serialEnd === 0
    ? { ...skip, scan: { by: END, to: window.length - skip.bytes, begun: true } }
    : skip;
}

/** `UEX;`, or behind a model `ST300UEX;` */
function holdsSerialData(bytes: Uint8Array): boolean {
  const end = bytes.indexOf(SEMICOLON);
  return bytes[end - 1] === 0x58 && bytes[end - 2] === 0x45 && bytes[end - 3] === 0x55;
}

/** How many fields stand before the length of the serial data; 0 where there are none. */
function fieldsBeforeLength(text: string): number {
  const prefix = text.slice(0, text.indexOf(';'));
  if (prefix === 'UEX' || prefix === 'AUEX')
    return universalFields(Number.parseInt(/^A?UEX;[^;]*;([0-9A-Fa-f]{1,8});/.exec(text)?.[1] ?? '', 16));
  if (!prefix.endsWith('UEX')) return 0;
  const model = prefix.slice(0, 5);
  // type, id, version, date, time; latitude to the state of the lines
  return 5 + (hasModelField(model) ? 1 : 0) + (model === 'ST500' ? 0 : model === 'ST600' ? 5 : 1) + 9;
}

function universalFields(mask: number): number {
  if (Number.isNaN(mask)) return 0;
  // type, id, mask; date and time are there only together
  let count = 3;
  for (let bit = 1; bit <= 18; bit++) if (mask & (1 << bit)) count += 1;
  const clock = mask & DATE_AND_TIME;
  return clock === 0 || clock === DATE_AND_TIME ? count : count - 1;
}

/** Offset behind the serial data of a UEX message; 0 where there is none, or it is not to be found. */
function endOfSerialData(text: string): number {
  const before = fieldsBeforeLength(text);
  if (before === 0) return 0;
  let at = 0;
  for (let field = 0; field < before; field++) {
    at = text.indexOf(';', at) + 1;
    if (at === 0) return 0;
  }
  const length = /^(\d{1,4});/.exec(text.slice(at, at + 5));
  return length === null ? 0 : at + length[0].length + Number(length[1]);
}

const OPENING =
  /^(?:S[AT]\d{3}[A-Z]{3};(?:Res;)?|ST9\d\d;(?:Location|Emergency|Alert);|(?:A?(?:STT|ALT|UEX|TRV|ALV)|BLE|RES|BSA);)\d{5,15}(?:[;\r]|$)/;
const OPENING_BYTES = 40;

/** Text by its type and id; binary by its mask and a calendar. */
export function identify(bytes: Uint8Array, transport: Transport): Match {
  if (bytes.length === 0) return 'more';
  const start = findStart(bytes.subarray(0, MAX_PREFIX_CHARS + 1), 0);
  if (start.at > 0 || start.match !== 'yes') return start.at > 0 ? 'no' : start.match;
  if (bytes[0] === ZIP) return bytes.length < 18 ? 'more' : isCalendar(bytes, 12) ? 'yes' : 'no';
  if (bytes[0]! < MIN_BINARY_TYPE) return identifyText(bytes, transport);
  if (bytes.length < 22) return 'more';
  // all of mask bits 1 to 5: model, version, flag, date and time
  return (bytes[10]! & 0x3e) === 0x3e && isCalendar(bytes, 16) ? 'yes' : 'no';
}

function identifyText(bytes: Uint8Array, transport: Transport): Match {
  const text = toLatin1(bytes, 0, OPENING_BYTES);
  const match = OPENING.exec(text);
  // An id may go on in the next bytes of a stream; a datagram is whole.
  if (match !== null && (transport === 'udp' || match[0].length < text.length || !isDigit(text.at(-1)!))) return 'yes';
  return bytes.length < OPENING_BYTES && !text.includes('\r') ? 'more' : 'no';
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9';

/** yy mm dd hh mm ss as plain numbers */
function isCalendar(bytes: Uint8Array, at: number): boolean {
  const [year, month, day, hour, minute, second] = bytes.subarray(at, at + 6);
  const isDate = year! < 100 && month! >= 1 && month! <= 12 && day! >= 1 && day! <= 31;
  return isDate && hour! < 24 && minute! < 60 && second! < 60;
}
