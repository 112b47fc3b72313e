import { Draft, Reader, readOptional } from '#codec';
import { type Content, type Ids, TAIL_BYTES } from './message.ts';

/** place, time and speed; and with it hdop, course, altitude and satellites */
const [SHORT_PLACE, PLACE] = [0x51, 0x52];

/** 2B 00, 2D 00: records of items, each with its length. */
export function readRecords(reader: Reader): Content {
  const more = reader.u8() & 0x80;
  if (more) reader.skip(2);
  const ids: Ids = [reader.hex(8).slice(1)];
  reader.skip(2 + 2 + 1);
  reader.skip(reader.u8());
  const drafts: Draft[] = [];
  const end = reader.bytes.length - TAIL_BYTES;
  readOptional(() => {
    while (reader.offset < end) {
      const start = reader.offset;
      const length = readVariable(reader);
      const record = new Reader(reader.bytes, reader.offset, Math.min(start + length, end));
      readRecord(record, drafts);
      reader.skip(Math.max(length - (reader.offset - start), 0));
    }
  });
  return { ids, drafts };
}

/** A byte, or two where the first has its highest bit set. */
function readVariable(reader: Reader): number {
  const byte = reader.u8();
  return byte & 0x80 ? ((byte & 0x7f) << 8) | reader.u8() : byte;
}

/** Time, counter, ids; then items. */
function readRecord(reader: Reader, drafts: Draft[]): void {
  reader.skip(4 + 2 + 1 + 1);
  while (reader.remaining > 0) {
    const item = readVariable(reader);
    const content = reader.slice(readVariable(reader));
    if (item === PLACE || item === SHORT_PLACE) drafts.push(readPlace(content, item === PLACE));
  }
}

const FIXED = 2;

function readPlace(reader: Reader, isWhole: boolean): Draft {
  const draft = new Draft();
  const valid = ((reader.u8() >> 2) & 3) === FIXED;
  const longitude = reader.i32() / 1e6;
  const latitude = reader.i32() / 1e6;
  draft.setFix(reader.u32() * 1000, valid, latitude, longitude);
  const speed = reader.u16() / 10;
  draft.setMovement(undefined, speed, undefined);
  if (!isWhole) return draft;
  draft.attributes['hdop'] = reader.u8() / 10;
  const course = reader.u16();
  draft.setMovement(reader.u24() / 10, speed, course);
  draft.attributes['sat'] = reader.u8();
  return draft;
}
