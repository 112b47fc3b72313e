import { toHex } from '#codec';
import { readDate, readText } from '../blocks.ts';
import type { Packet } from '../packet.ts';

/** Lock heartbeat (23). */
export function readLockStatus({ reader, draft }: Packet): void {
  const status = reader.u8();
  const { attributes } = draft;
  attributes['armed'] = (status & 0x01) !== 0;
  attributes['ignition'] = (status & 0x02) !== 0;
  attributes['charge'] = (status & 0x04) !== 0;
  if (reader.remaining >= 2) attributes['battery'] = reader.u16() / 100;
  if (reader.remaining >= 1) attributes['rssi'] = reader.u8();
}

/** Heartbeat of refrigerated transport (13, content of 16 bytes). */
export function readColdChain({ reader, draft }: Packet): void {
  reader.skip(5);
  draft.attributes['batteryLevel'] = reader.u8();
  reader.skip(8);
  const temperature = reader.u16();
  const tenths = temperature & 0x7fff;
  draft.attributes['temp1'] = (temperature & 0x8000 ? tenths : 0 - tenths) / 10;
}

/** A beacon that the tracker hears (B2). */
export function readBeacon(packet: Packet): void {
  const { reader, draft } = packet;
  const { attributes } = draft;
  draft.deviceTime = readDate(packet);
  attributes['rssi'] = reader.i8();
  attributes['tagMac'] = reader.hex(6);
  attributes['tagUuid'] = reader.hex(16);
  attributes['tagMajor'] = reader.u16();
  attributes['tagMinor'] = reader.u16();
  attributes['tagBattery'] = reader.u16() / 100;
  attributes['clock'] = (reader.u8() >> 2) & 0x0f;
}

/** Bytes of a serial port, passed through (9B): text where all of it can be printed. */
export function readPassThrough({ reader, draft }: Packet): void {
  reader.skip(1);
  const bytes = reader.view(reader.remaining);
  const isText = bytes.every((byte) => (byte >= 0x20 && byte < 0x80) || byte === 0x0d || byte === 0x0a);
  draft.attributes['result'] = isText ? String.fromCharCode(...bytes).trim() : toHex(bytes);
}

/** Battery management system (40). */
export function readBatteryPack({ reader, draft }: Packet): void {
  const { attributes } = draft;
  reader.skip(8);
  draft.deviceTime = reader.u32() * 1000;
  attributes['relativeCapacity'] = reader.u8();
  attributes['remainingCapacity'] = reader.u16();
  attributes['absoluteCapacity'] = reader.u8();
  attributes['fullCapacity'] = reader.u16();
  attributes['batteryHealth'] = reader.u8();
  attributes['batteryTemp'] = (reader.u16() - 2731) / 10;
  attributes['current'] = reader.u16();
  attributes['battery'] = reader.u16() / 1000;
  attributes['cycleIndex'] = reader.u16();
  for (let cell = 1; cell <= 14; cell++) attributes[`batteryCell${cell}`] = reader.u16() / 1000;
  attributes['currentChargeInterval'] = reader.u16();
  attributes['maxChargeInterval'] = reader.u16();
  attributes['barcode'] = readText(reader, 16);
  attributes['batteryVersion'] = reader.u16();
  attributes['manufacturer'] = readText(reader, 16);
  attributes['batteryStatus'] = reader.u32();
  attributes['controllerStatus'] = reader.u32();
  attributes['controllerFault'] = reader.u32();
}
