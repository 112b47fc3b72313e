import { readCell, readDate, readGps, readGpsBehindDate, readRfid } from '../blocks.ts';
import { AZ735_ALARMS, OBD_PARAMETERS, OBD_VIN } from '../elements.ts';
import type { Packet } from '../packet.ts';

/** Location with inputs and outputs (34, not SL4X). */
export function readInputsOutputs(packet: Packet): void {
  const { reader, draft } = packet;
  const { attributes } = draft;
  reader.skip(4);
  readGps(packet);
  reader.skip(2);
  attributes['odometer'] = reader.u32();
  draft.addCell({ mcc: reader.u16(), mnc: reader.u8(), lac: reader.u16(), cid: reader.u32() });
  const driver = reader.u32();
  if (driver > 0) attributes['driverUniqueId'] = String(driver);
  attributes['battery'] = reader.u16() / 100;
  attributes['power'] = reader.u16() / 100;
  const analogueInputs = (reader.u32() >>> 20) & 0x0f;
  attributes['input'] = reader.u8();
  attributes['output'] = reader.u8();
  for (let input = 1; input <= analogueInputs; input++) attributes[`adc${input}`] = reader.u16() / 100;
}

/** Location of SR411 (24). */
export function readSr411(packet: Packet): void {
  const { reader, draft } = packet;
  readGps(packet);
  readCell(packet, false);
  draft.attributes['ignition'] = reader.u8() > 0;
  draft.attributes['power'] = reader.u16() / 100;
  draft.attributes['battery'] = reader.u16() / 100;
}

/** Location with a driver's card (61). */
export function readDriverCard(packet: Packet): void {
  const { reader, draft } = packet;
  reader.skip(8);
  readGps(packet);
  readCell(packet, false);
  draft.attributes['driverUniqueId'] = String(reader.u48());
}

/** Location of TRX16I (36). */
export function readTrx16i(packet: Packet): void {
  const { reader, draft } = packet;
  const { attributes } = draft;
  readGps(packet);
  readCell(packet, false);
  attributes['ignition'] = reader.u8() > 0;
  attributes['uploadMode'] = reader.u8();
  attributes['archive'] = reader.u8() > 0;
  attributes['odometer'] = reader.u32();
  attributes['power'] = reader.u16() / 100;
  attributes['battery'] = reader.u8() / 10;
  attributes['hours'] = reader.u24() * 60_000;
  readRfid(packet, 8);
}

/** Location with a cell of named technology (38). */
export function readTypedCell(packet: Packet): void {
  readGps(packet);
  packet.reader.skip(2);
  readCell(packet, false);
}

/** Location (32) and alarm (33) of AZ735. */
export function readAz735(packet: Packet): void {
  const { reader, draft, type } = packet;
  const { attributes } = draft;
  draft.deviceTime = readDate(packet);
  if (reader.u8() > 0) readGpsBehindDate(packet, draft.deviceTime);
  if (readCell(packet, true)) attributes['rssi'] = reader.u8();
  reader.skip(reader.u8());
  reader.skip(reader.u8());
  const status = reader.u8();
  attributes['status'] = status;
  if (type !== 0x33) return;
  const meaning = AZ735_ALARMS[status];
  draft.addAlarm(meaning?.alarm);
  if (meaning?.armed !== undefined) attributes['armed'] = meaning.armed;
}

const HEX = /^[0-9a-fA-F]{1,12}$/;
/** what stands behind the text, before serial and checksum */
const OBD_TAIL = 12;

/** OBD parameters as text (8C): `137=0,28=000274d8,…`, the first two characters of a name are its number. */
export function readObd(packet: Packet): void {
  const { reader, draft } = packet;
  const { attributes } = draft;
  draft.deviceTime = readDate(packet);
  attributes['ignition'] = reader.u8() > 0;
  for (const pair of reader.latin1(Math.max(0, reader.remaining - OBD_TAIL)).split(',')) {
    const equals = pair.indexOf('=');
    const id = pair.slice(0, 2).toUpperCase();
    const value = pair.slice(equals + 1);
    if (equals < 2 || value === '') continue;
    const key = OBD_PARAMETERS[id];
    if (id === OBD_VIN) attributes['vin'] = value;
    else if (key !== undefined && HEX.test(value)) attributes[key] = Number.parseInt(value, 16) / 100;
  }
}
