import { type Attributes, Draft, type Message, type Position, Reader, statusPosition } from '#codec';
import { layout } from '#codec/binary';
import { elements7, fix7 } from './elements.ts';
import { meaningsFor } from './io/meanings.ts';
import { splitOperator } from './network.ts';

/** 2007-01-01 00:00:00 UTC, seconds */
const EPOCH = 1_167_609_600;

const meanings = meaningsFor(elements7, ['all']);

const readFix = layout(fix7);

/** Records of codec 7. One that carries nothing gives no position. Throws CodecError `truncated`. */
export function readCodec7(bytes: Uint8Array, start: number, end: number, count: number): Message[] {
  const reader = new Reader(bytes, start, end);
  const messages: Message[] = [];
  for (let n = 0; n < count; n++) {
    const record = readRecord(reader);
    if (record !== undefined) messages.push(record);
  }
  return messages;
}

function readRecord(reader: Reader): Position | undefined {
  const time = ((reader.u32() & 0x3fff_ffff) + EPOCH) * 1000;
  const mask = reader.u8();
  const draft = new Draft();
  const { attributes } = draft;
  const hasFix = (mask & 0x01) !== 0;
  // Coordinates that are not a number mean no position.
  if (hasFix && (reader.peekU8() & 1) !== 0) draft.latitude = draft.longitude = Number.NaN;
  if (hasFix) readFix(reader, draft);
  if (mask & 0x02) for (let count = reader.u8(); count > 0; count--) element(reader.u8(), reader.u8(), attributes);
  if (mask & 0x04) for (let count = reader.u8(); count > 0; count--) element(reader.u8(), reader.u16(), attributes);
  if (mask & 0x08) for (let count = reader.u8(); count > 0; count--) element(reader.u8(), reader.u32(), attributes);
  if (!hasFix) return Object.keys(attributes).length > 0 ? statusPosition(attributes, time) : undefined;
  takeCell(draft);
  draft.setFix(time, true, draft.latitude, draft.longitude);
  return draft.toPosition();
}

/** The cell of the fix's own fields; without one they stay as they are. */
function takeCell(draft: Draft): void {
  const { lac, cid, rssi, operator } = draft.attributes;
  if (typeof lac !== 'number' || typeof cid !== 'number') return;
  draft.addCell({ ...splitOperator(operator), lac, cid, ...(typeof rssi === 'number' ? { rssi: 0 - rssi } : {}) });
  for (const key of ['lac', 'cid', 'rssi', 'operator']) delete draft.attributes[key];
}

/** The value counts unsigned, whatever its width. */
function element(id: number, value: number, attributes: Attributes): void {
  const meaning = meanings[id];
  if (meaning === undefined) attributes[`io${id}`] = value;
  else if (meaning.isFlag) attributes[meaning.key] = value === 1;
  else if (meaning.custom === undefined) attributes[meaning.key] = value / meaning.divide;
  else if (value === 1) attributes['alarm'] = meaning.custom;
}
