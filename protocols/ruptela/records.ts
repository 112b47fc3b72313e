import { CodecError, Draft, ninePlaces, type Reader, toHex, toLatin1 } from '#codec';
import { ELEMENTS, WHOLES } from './elements.ts';

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

const MAX_PARTS = 3;
/** Where the parts of longer values stand, so many entries a value. */
type Parts = number[];

function element(reader: Reader, id: number, size: number, draft: Draft, parts: Parts): void {
  const row = ELEMENTS[id];
  const at = reader.offset;
  const value = unsigned(reader, size);
  const { attributes } = draft;
  if (row === undefined) attributes[ioKey(id)] = value;
  else if (row.is === 'number') {
    if (row.absent?.includes(value) || (row.most !== undefined && value > row.most)) return;
    const key = row.otherwise !== undefined && row.key in attributes ? row.otherwise : row.key;
    if (key === '') attributes[ioKey(id)] = value;
    else attributes[key] = ninePlaces((row.signed ? signed(value, size) : value) * row.factor + (row.offset ?? 0));
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
  } else if (row.is === 'output') attributes[row.key] = value === 0;
  else {
    if (row.isKept) attributes[ioKey(id)] = value;
    if (size === 8) parts[MAX_PARTS * row.whole + row.at] = at;
  }
}

const VIN = /^[0-9A-Z]{17}$/;
/** What a text of parts says, without the zeros, spaces and stars that end it; empty if it was not read. */
const plain = (text: string): string => (/^(?:F+|\u00ff+)$/.test(text) ? '' : text.replace(/[\0 *]+$/, ''));

/** Values whose parts are all there; some of them say nothing. */
function joinParts(bytes: Uint8Array, at: Parts, { attributes }: Draft): void {
  for (const [whole, { key, form, parts }] of WHOLES.entries()) {
    const starts = at.slice(MAX_PARTS * whole, MAX_PARTS * whole + parts);
    if (starts.filter((start) => start !== undefined).length < parts) continue;
    if (form === 'hex') {
      const digits = starts.map((start) => hexNumber(bytes, start)).join('');
      if (digits !== '' && !NO_KEY.test(digits)) attributes[key] = digits;
      continue;
    }
    const text = plain(starts.map((start) => toLatin1(bytes, start, start + 8)).join(''));
    if (form === 'vin' ? VIN.test(text) : text !== '') attributes[key] = text;
  }
}

const LEADING_ZEROS = /^0{1,15}/;
const hexNumber = (bytes: Uint8Array, at: number): string => toHex(bytes, at, at + 8).replace(LEADING_ZEROS, '');

function readElements(reader: Reader, extended: boolean, draft: Draft): void {
  const parts: Parts = [];
  for (let size = 1; size <= 8; size *= 2) {
    for (let count = reader.u8(); count > 0; count--) {
      element(reader, extended ? reader.u16() : reader.u8(), size, draft, parts);
    }
  }
  if (parts.length > 0) joinParts(reader.bytes, parts, draft);
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
  for (const draft of drafts) addCell(draft);
  return drafts;
}

/** The serving cell: operator (150), area (851) and cell (852). */
function addCell(draft: Draft): void {
  const { operator, io851: lac, io852: cid } = draft.attributes;
  if (typeof operator !== 'number' || typeof lac !== 'number' || typeof cid !== 'number') return;
  if (operator < 1000 || lac === 0xffff || cid === 0xffff_ffff) return;
  const digits = String(operator);
  draft.addCell({ mcc: Number(digits.slice(0, 3)), mnc: Number(digits.slice(3)), lac, cid });
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
