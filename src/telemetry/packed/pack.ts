import type { Attributes, Position } from '#codec';
import { hash128 } from './hash.ts';
import { AT, FLAG, HEAD_BYTES, ID, LAYOUT, PRESENT } from './layout.ts';
import { JsonBytes } from './text.ts';

const out = new JsonBytes();

/** Attributes that may differ when the same record is sent again. */
const isVolatile = (name: string): boolean => name === 'index' || name === 'archive';

/**
 * Packs a record of a device (see layout.ts). Its identity is a hash of the record without server time, index and archive
 * flag, with device and time: trackers send several records with one time, and records are packed again after a reconnect.
 * The time is the server time of a record that has no other: a repeated status is another record, and consumers of streams
 * know records by their id. Files leave out what they have in other columns (src/history/files/ids/store.ts).
 */
export function packPosition(deviceId: string, protocol: string, p: Position, serverTime: number): Buffer {
  out.at = HEAD_BYTES;
  out.hasEscapes = false;
  const deviceLength = text(deviceId);
  clearBehind(out.at);
  hash128(out.view, HEAD_BYTES, deviceLength, AT.id);
  const device = out.view.getUint32(AT.id);
  const deviceEnd = out.view.getUint8(AT.id + 4);
  const protocolLength = text(protocol);
  let networkLength = 0;
  if (p.network !== undefined) {
    const before = out.at;
    out.json(JSON.stringify(p.network));
    networkLength = out.at - before;
  }
  const attributesAt = out.at;
  const hasVolatile = putStable(p.attributes);
  const stableEnd = out.at;
  // what the hash reads beyond the end, and the brace that closes the attributes
  clearBehind(stableEnd);
  const { view } = out;
  putNumbers(p);
  view.setUint8(AT.layout, LAYOUT);
  view.setUint8(AT.flags, flagsOf(p));
  view.setUint8(AT.deviceLength, deviceLength);
  view.setUint8(AT.protocolLength, protocolLength);
  view.setUint16(AT.reserved, 0);
  view.setUint32(AT.networkLength, networkLength);
  view.setUint32(AT.attributesLength, stableEnd - attributesAt);
  const isTimeless = p.deviceTime === undefined && p.fixTime === undefined;
  if (isTimeless) view.setFloat64(AT.deviceTime, Math.floor(serverTime));
  hash128(view, AT.layout, stableEnd - AT.layout, AT.id);
  view.setUint32(AT.id + ID.device, device);
  view.setUint8(AT.id + ID.device + 4, deviceEnd);
  const time = Math.floor(p.fixTime ?? p.deviceTime ?? serverTime);
  view.setUint16(AT.id + ID.time, Math.floor(time / 2 ** 32));
  view.setUint32(AT.id + ID.time + 2, time);
  if (isTimeless) view.setFloat64(AT.deviceTime, 0);
  view.setFloat64(AT.serverTime, Math.floor(serverTime));
  if (hasVolatile) putVolatile(p.attributes, stableEnd - attributesAt > 1);
  out.reserve(1);
  out.bytes[out.at++] = 0x7d;
  out.view.setUint32(AT.attributesLength, out.at - attributesAt);
  const packed = Buffer.allocUnsafe(out.at);
  out.bytes.copy(packed, 0, 0, out.at);
  return packed;
}

/** Zeros, as hash128 reads them behind the last byte. */
function clearBehind(end: number): void {
  out.reserve(16);
  out.view.setFloat64(end, 0);
  out.view.setFloat64(end + 8, 0);
}

/** Length in bytes. */
function text(value: string): number {
  const before = out.at;
  out.text(value);
  return out.at - before;
}

/** Writes `{` and the attributes that identify the record; returns whether there are others. */
function putStable(attributes: Attributes): boolean {
  let hasVolatile = false;
  let isFirst = true;
  out.reserve(1);
  out.bytes[out.at++] = 0x7b;
  for (const name in attributes) {
    if (isVolatile(name)) {
      hasVolatile = true;
      continue;
    }
    if (isFirst) isFirst = false;
    else {
      out.reserve(1);
      out.bytes[out.at++] = 0x2c;
    }
    out.member(name, attributes[name]!);
  }
  return hasVolatile;
}

function putVolatile(attributes: Attributes, isFollowing: boolean): void {
  let follows = isFollowing;
  for (const name in attributes) {
    if (!isVolatile(name)) continue;
    out.reserve(1);
    if (follows) out.bytes[out.at++] = 0x2c;
    follows = true;
    out.member(name, attributes[name]!);
  }
}

/** The optional numbers, and which there are; + 0: there is no negative zero in JSON texts. */
function putNumbers(p: Position): void {
  const { view } = out;
  let present = p.network === undefined ? 0 : PRESENT.network;
  const { deviceTime, fixTime, latitude, longitude, altitude, speed, course, accuracy } = p;
  if (deviceTime !== undefined) present |= PRESENT.deviceTime;
  if (fixTime !== undefined) present |= PRESENT.fixTime;
  if (latitude !== undefined) present |= PRESENT.latitude;
  if (longitude !== undefined) present |= PRESENT.longitude;
  if (altitude !== undefined) present |= PRESENT.altitude;
  if (speed !== undefined) present |= PRESENT.speed;
  if (course !== undefined) present |= PRESENT.course;
  if (accuracy !== undefined) present |= PRESENT.accuracy;
  view.setUint16(AT.present, present);
  view.setFloat64(AT.deviceTime, Math.floor(deviceTime ?? 0) + 0);
  view.setFloat64(AT.fixTime, Math.floor(fixTime ?? 0) + 0);
  view.setFloat64(AT.latitude, (latitude ?? 0) + 0);
  view.setFloat64(AT.longitude, (longitude ?? 0) + 0);
  view.setFloat64(AT.altitude, (altitude ?? 0) + 0);
  view.setFloat64(AT.speed, (speed ?? 0) + 0);
  view.setFloat64(AT.course, (course ?? 0) + 0);
  view.setFloat64(AT.accuracy, (accuracy ?? 0) + 0);
}

function flagsOf(p: Position): number {
  let flags = p.valid ? FLAG.valid : 0;
  if (p.outdated) flags |= FLAG.outdated;
  if (out.hasEscapes) flags |= FLAG.escaped;
  const ignition = p.attributes['ignition'];
  if (ignition === true || ignition === 1) flags |= FLAG.ignitionKnown | FLAG.ignitionOn;
  else if (ignition === false || ignition === 0) flags |= FLAG.ignitionKnown;
  return flags;
}
