import {
  type Attributes,
  type Cell,
  createPosition,
  type Message,
  meaningsOf,
  type Network,
  type Position,
  Reader,
  statusOf,
} from '#codec';
import { elements7 } from './elements.ts';
import { oneCell, splitOperator } from './network.ts';

/** 2007-01-01 00:00:00 UTC, seconds */
const EPOCH = 1_167_609_600;

const meanings = meaningsOf(elements7, ['all']);

interface Fix {
  latitude: number;
  longitude: number;
  altitude: number;
  course: number;
  speed: number;
  network?: Network;
}

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
  const attributes: Attributes = {};
  const fix = mask & 0x01 ? readFix(reader, attributes) : undefined;
  if (mask & 0x02) for (let count = reader.u8(); count > 0; count--) element(reader.u8(), reader.u8(), attributes);
  if (mask & 0x04) for (let count = reader.u8(); count > 0; count--) element(reader.u8(), reader.u16(), attributes);
  if (mask & 0x08) for (let count = reader.u8(); count > 0; count--) element(reader.u8(), reader.u32(), attributes);
  if (fix !== undefined) {
    const { latitude, longitude, altitude, speed, course, network } = fix;
    return createPosition(time, true, latitude, longitude, altitude, speed, course, network, attributes);
  }
  return Object.keys(attributes).length > 0 ? statusOf(attributes, time) : undefined;
}

/** GPS element; what its mask does not name is 0. */
function readFix(reader: Reader, attributes: Attributes): Fix {
  const mask = reader.u8();
  const fix: Fix = { latitude: 0, longitude: 0, altitude: 0, course: 0, speed: 0 };
  if (mask & 0x01) {
    fix.latitude = reader.f32();
    fix.longitude = reader.f32();
  }
  if (mask & 0x02) fix.altitude = reader.u16();
  if (mask & 0x04) fix.course = (reader.u8() * 360) / 256;
  if (mask & 0x08) fix.speed = reader.u8();
  if (mask & 0x10) attributes['sat'] = reader.u8();
  const cell = mask & 0x20 ? { lac: reader.u16(), cid: reader.u16() } : undefined;
  const signal = mask & 0x40 ? reader.u8() : undefined;
  const operator = mask & 0x80 ? reader.u32() : undefined;
  if (cell !== undefined) {
    const found: Cell = { ...splitOperator(operator), ...cell };
    fix.network = oneCell(signal === undefined ? found : { ...found, rssi: 0 - signal });
    return fix;
  }
  if (signal !== undefined) attributes['rssi'] = signal;
  if (operator !== undefined) attributes['operator'] = operator;
  return fix;
}

/** The value counts unsigned, whatever its width. */
function element(id: number, value: number, attributes: Attributes): void {
  const meaning = meanings[id];
  if (meaning === undefined) attributes[`io${id}`] = value;
  else if (meaning.isFlag) attributes[meaning.key] = value === 1;
  else if (meaning.own === undefined) attributes[meaning.key] = value / meaning.divide;
  else if (value === 1) attributes['alarm'] = meaning.own;
}
