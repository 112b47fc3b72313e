import { CodecError, Draft, ninePlaces, type Reader, toHex, toLatin1 } from '#codec';
import { ELEMENTS, PAIRS } from './elements.ts';

const NO_COORDINATE = -0x8000_0000;
/** altitude, course, satellites, speed, dilution */
const MOVEMENT_BYTES = 8;

const ioKeys: string[] = [];
const ioKey = (id: number): string => {
  const known = ioKeys[id];
  if (known !== undefined) return known;
  const key = `io${id}`;
  ioKeys[id] = key;
  return key;
};

function unsigned(reader: Reader, size: number): number {
  if (size === 1) return reader.u8();
  if (size === 2) return reader.u16();
  if (size === 4) return reader.u32();
  return reader.i64Number();
}

const signed = (value: number, size: number): number => {
  if (size === 8) return value;
  const shift = 32 - 8 * size;
  return (value << shift) >> shift;
};

/** no key at the reader */
const NO_KEY = /^(?:0+|f+)$/;

/** Where the halves of the pairs stand, two entries a pair. */
type Halves = number[];

function element(reader: Reader, id: number, size: number, draft: Draft, halves: Halves): void {
  const row = ELEMENTS[id];
  const at = reader.offset;
  const value = unsigned(reader, size);
  const { attributes } = draft;
  if (row === undefined) attributes[ioKey(id)] = value;
  else if (row.is === 'number') {
    if (row.absent?.includes(value)) return;
    attributes[row.key] = ninePlaces((row.signed ? signed(value, size) : value) * row.factor + (row.offset ?? 0));
  } else if (row.is === 'flag') {
    if (!row.absent?.includes(value)) attributes[row.key] = value > 0;
  } else if (row.is === 'line') {
    attributes[row.key] = value;
    attributes['ignition'] ??= value > 0;
  } else if (row.is === 'alarm') {
    if (row.at === undefined ? value > 0 : value === row.at) draft.addAlarm(row.alarm);
  } else if (row.is === 'hex') {
    const digits = toHex(reader.bytes, at, at + size);
    if (!NO_KEY.test(digits)) attributes[row.key] = digits;
  } else if (size === 8) halves[2 * row.pair + (row.second ? 1 : 0)] = at;
}

/** Of a pair whose halves are both there; one alone says nothing. */
function joinHalves(bytes: Uint8Array, halves: Halves, draft: Draft): void {
  for (let pair = 0; pair < PAIRS.length; pair++) {
    const first = halves[2 * pair];
    const second = halves[2 * pair + 1];
    if (first === undefined || second === undefined) continue;
    const { key, form } = PAIRS[pair]!;
    draft.attributes[key] =
      form === 'text'
        ? toLatin1(bytes, first, first + 8) + toLatin1(bytes, second, second + 8)
        : hexNumber(bytes, first) + hexNumber(bytes, second);
  }
}

const LEADING_ZEROS = /^0{1,15}/;
const hexNumber = (bytes: Uint8Array, at: number): string => toHex(bytes, at, at + 8).replace(LEADING_ZEROS, '');

function readElements(reader: Reader, extended: boolean, draft: Draft): void {
  const halves: Halves = [];
  for (let size = 1; size <= 8; size *= 2) {
    for (let count = reader.u8(); count > 0; count--) {
      element(reader, extended ? reader.u16() : reader.u8(), size, draft, halves);
    }
  }
  if (halves.length > 0) joinHalves(reader.bytes, halves, draft);
}

/** Reads one record, or a part of one that begins in `last`. Adds to `drafts` what is new. */
function readRecord(reader: Reader, extended: boolean, drafts: Draft[]): void {
  const time = reader.u32() * 1000;
  reader.skip(1);
  const part = extended ? reader.u8() : 0;
  reader.skip(1);
  const longitude = reader.i32();
  const latitude = reader.i32();
  const isContinued = (part & 0x0f) > 0 && (part & 0x0f) <= part >> 4;
  let draft = isContinued ? drafts.at(-1) : undefined;
  if (draft === undefined) {
    draft = new Draft();
    drafts.push(draft);
  }
  draft.deviceTime = time;
  if (longitude === NO_COORDINATE || latitude === NO_COORDINATE) reader.skip(MOVEMENT_BYTES);
  else {
    const altitude = reader.u16() / 10;
    const course = reader.u16() / 100;
    const satellites = reader.u8();
    // Without satellites the place is the last known one.
    draft.setFix(time, satellites > 0, latitude / 10_000_000, longitude / 10_000_000);
    draft.attributes['sat'] = satellites;
    draft.setMovement(altitude, reader.u16(), course);
    draft.attributes['hdop'] = reader.u8() / 10;
  }
  draft.attributes['event'] = extended ? reader.u16() : reader.u8();
  readElements(reader, extended, draft);
}

/**
 * Records (1) and extended records (68): those that say so continue the one before them. A record that is cut off
 * keeps what was read of it.
 */
export function readRecords(reader: Reader, extended: boolean): Draft[] {
  const drafts: Draft[] = [];
  reader.skip(1);
  try {
    for (let count = reader.u8(); count > 0; count--) readRecord(reader, extended, drafts);
  } catch (error) {
    if (!(error instanceof CodecError) || drafts.length === 0) throw error;
  }
  return drafts;
}

/** Trouble codes (9), each with place and time. */
export function readTroubleCodes(reader: Reader): Draft[] {
  const drafts: Draft[] = [];
  const fromMemory = 2;
  for (let count = reader.u8(); count > 0 && reader.remaining >= 19; count--) {
    reader.skip(1);
    const draft = new Draft();
    const time = reader.u32() * 1000;
    const longitude = reader.i32() / 10_000_000;
    draft.setFix(time, true, reader.i32() / 10_000_000, longitude);
    if (reader.u8() === fromMemory) draft.attributes['archive'] = true;
    draft.attributes['dtcs'] = reader.latin1(5);
    drafts.push(draft);
  }
  return drafts;
}
