import type { Attributes, Position } from '#codec';
import { hash128 } from './hash.ts';
import { AT, FLAG, HEAD_BYTES, ID, LAYOUT, PRESENT } from './layout.ts';
import { JsonBytes } from './text.ts';

const out = new JsonBytes();
let sender = senderOf('', '');

/** Attributes that may differ when the same record is sent again. */
const isVolatile = (name: string): boolean => name === 'index' || name === 'archive';

/**
 * Packs a record of a device (see layout.ts). Its identity is a hash of the record without server time, index and archive
 * flag, with device and time: trackers send several records with one time, and records are packed again after a reconnect.
 * The time is the server time of a record that has no other: a repeated status is another record, and consumers of streams
 * know records by their id. Files leave out what they have in other columns (src/server/history/files/ids/store.ts).
 */
export function packPosition(deviceId: string, protocol: string, p: Position, serverTime: number): Buffer {
  out.begin(HEAD_BYTES);
  if (deviceId !== sender.deviceId || protocol !== sender.protocol) sender = senderOf(deviceId, protocol);
  const { deviceLength, protocolLength, device, deviceEnd } = sender;
  out.raw(sender.text);
  let networkLength = 0;
  if (p.network !== undefined) {
    const before = out.length;
    out.json(JSON.stringify(p.network));
    networkLength = out.length - before;
  }
  const attributesAt = out.length;
  const hasVolatile = putStable(p.attributes);
  const stableLength = out.length - attributesAt;
  // what the hash reads beyond the end, and the brace that closes the attributes
  clearBehind();
  const { view, start } = out;
  putNumbers(p);
  view.setUint8(start + AT.layout, LAYOUT);
  view.setUint8(start + AT.flags, flagsOf(p));
  view.setUint8(start + AT.deviceLength, deviceLength);
  view.setUint8(start + AT.protocolLength, protocolLength);
  view.setUint16(start + AT.reserved, 0);
  view.setUint32(start + AT.networkLength, networkLength);
  view.setUint32(start + AT.attributesLength, stableLength);
  const isTimeless = p.deviceTime === undefined && p.fixTime === undefined;
  if (isTimeless) view.setFloat64(start + AT.deviceTime, Math.floor(serverTime));
  hash128(view, start + AT.layout, out.length - AT.layout, start + AT.id);
  view.setUint32(start + AT.id + ID.device, device);
  view.setUint8(start + AT.id + ID.device + 4, deviceEnd);
  const time = Math.floor(p.fixTime ?? p.deviceTime ?? serverTime);
  view.setUint16(start + AT.id + ID.time, Math.floor(time / 2 ** 32));
  view.setUint32(start + AT.id + ID.time + 2, time);
  if (isTimeless) view.setFloat64(start + AT.deviceTime, 0);
  view.setFloat64(start + AT.serverTime, Math.floor(serverTime));
  if (hasVolatile) putVolatile(p.attributes, stableLength > 1);
  out.reserve(1);
  out.bytes[out.at++] = 0x7d;
  out.view.setUint32(out.start + AT.attributesLength, out.length - attributesAt);
  return out.finish();
}

/** What the records of a device have in common; those of a packet follow each other. */
interface Sender {
  readonly deviceId: string;
  readonly protocol: string;
  /** both, in UTF-8, and the lengths of each */
  readonly text: Uint8Array;
  readonly deviceLength: number;
  readonly protocolLength: number;
  /** of a hash of the device's id: the first four bytes, and the fifth */
  readonly device: number;
  readonly deviceEnd: number;
}

function senderOf(deviceId: string, protocol: string): Sender {
  const id = Buffer.from(deviceId);
  // room for the hash, and for the zeros that it reads behind the id
  const view = new DataView(new ArrayBuffer(id.length + 32));
  new Uint8Array(view.buffer).set(id, 16);
  hash128(view, 16, id.length, 0);
  const text = Uint8Array.from(Buffer.from(deviceId + protocol));
  const protocolLength = text.length - id.length;
  const [device, deviceEnd] = [view.getUint32(0), view.getUint8(4)];
  return { deviceId, protocol, text, deviceLength: id.length, protocolLength, device, deviceEnd };
}

/** Zeros, as hash128 reads them behind the last byte. */
function clearBehind(): void {
  out.reserve(16);
  out.view.setFloat64(out.at, 0);
  out.view.setFloat64(out.at + 8, 0);
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
  const { view, start } = out;
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
  view.setUint16(start + AT.present, present);
  view.setFloat64(start + AT.deviceTime, Math.floor(deviceTime ?? 0) + 0);
  view.setFloat64(start + AT.fixTime, Math.floor(fixTime ?? 0) + 0);
  view.setFloat64(start + AT.latitude, (latitude ?? 0) + 0);
  view.setFloat64(start + AT.longitude, (longitude ?? 0) + 0);
  view.setFloat64(start + AT.altitude, (altitude ?? 0) + 0);
  view.setFloat64(start + AT.speed, (speed ?? 0) + 0);
  view.setFloat64(start + AT.course, (course ?? 0) + 0);
  view.setFloat64(start + AT.accuracy, (accuracy ?? 0) + 0);
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
