import type { Draft, Message, Reader } from '#codec';
import { readAccessPoints } from './blocks.ts';
import { type ReadBlock, readRecords, readTime } from './records.ts';
import { negative } from './values.ts';

const FIX = 0x64;
const ALARMS: Readonly<Record<number, string>> = {
  1: 'sos',
  2: 'lowBattery',
  4: 'removing',
  5: 'movement',
  7: 'fallDown',
  8: 'accident',
  11: 'powerRestored',
  12: 'powerCut',
  13: 'powerOn',
  14: 'powerOff',
  15: 'door',
  16: 'door',
};
const CARD = 17;
/** what was not measured */
const NO_BYTE = 0xff;
const NO_STEPS = 0xffff;
/** length of the place in devices that do not send the state of their ephemeris */
const WITHOUT_EPHEMERIS = 33;

/** Bytes of a place that was not found are all ones, and what stands behind it means nothing. */
function readFix(reader: Reader, draft: Draft): void {
  const hasEphemeris = reader.remaining !== WITHOUT_EPHEMERIS;
  const time = readTime(reader, draft);
  const [latitude, longitude] = [reader.f64(), reader.f64()];
  if (time === undefined || !Number.isFinite(latitude + longitude) || (latitude === 0 && longitude === 0)) return;
  draft.setFix(time, true, latitude, longitude);
  const altitude = reader.f32();
  if (hasEphemeris) reader.skip(1);
  draft.attributes['sat'] = reader.u8();
  reader.skip(1);
  draft.setMovement(altitude, reader.u16() / 10, reader.u16() / 10);
}

function readCell(reader: Reader, draft: Draft): void {
  readTime(reader, draft);
  const [mcc, mnc, lac, cid, signal] = [reader.u16(), reader.u16(), reader.u32(), reader.u32(), reader.u8()];
  const dbm = signal > 0x7f ? signal - 0x100 : signal;
  draft.addCell(signal === NO_BYTE ? { mcc, mnc, lac, cid } : { mcc, mnc, lac, cid, rssi: negative(dbm) });
}

function readAlarm(reader: Reader, draft: Draft): void {
  readTime(reader, draft);
  const [alarm, length] = [reader.u8(), reader.u8()];
  draft.attributes['event'] = alarm;
  draft.addAlarm(ALARMS[alarm]);
  if (alarm === CARD && length > 0) draft.attributes['iccid'] = reader.hex(length);
}

function readStatus(reader: Reader, draft: Draft): void {
  const { attributes } = draft;
  attributes['batteryLevel'] = reader.u8();
  reader.skip(2);
  attributes['rssi'] = reader.u8();
  reader.skip(1);
  attributes['motion'] = reader.u8() > 0;
  attributes['charge'] = reader.u8() > 0;
  const steps = reader.u16();
  if (steps !== NO_STEPS) attributes['steps'] = steps;
  const temperature = reader.i8();
  if (temperature !== -1) attributes['temperature'] = temperature;
  reader.skip(1);
  const rate = reader.u8();
  if (rate !== NO_BYTE && rate !== 0) attributes['heartRate'] = rate;
  reader.skip(3);
  const fuel = reader.u8();
  if (fuel !== NO_BYTE) attributes['fuelLevel'] = fuel;
  readTime(reader, draft);
}

const VERSION_BYTES = 32;
const ICCID = /^\d{18,20}/;

/** Firmware and number of the SIM card; the text behind them names modules and settings. */
function readDescription(reader: Reader, { attributes }: Draft): void {
  reader.skip(1);
  const version = reader.latin1(VERSION_BYTES).replace(/\0.*$/s, '').trim();
  if (version !== '') attributes['versionFw'] = version;
  const iccid = ICCID.exec(reader.hex(10))?.[0];
  if (iccid !== undefined && Number(iccid) !== 0) attributes['iccid'] = iccid;
}

const BLOCKS = new Map<number, ReadBlock>([
  [FIX, readFix],
  [0x65, readAccessPoints],
  [0x66, readCell],
  [0x69, readAlarm],
  [0x6a, readStatus],
  [0x6e, readDescription],
]);

/** The body of a message 20 of version 3. */
export const readBlocksV3 = (reader: Reader): Message[] => readRecords(reader, BLOCKS, FIX);
