import { CodecError, Draft, ninePlaces, type Reader, toHex } from '#codec';

const ALARMS: Readonly<Record<number, string>> = {
  0x01: 'powerOff',
  0x02: 'sos',
  0x03: 'lowBattery',
  0x04: 'vibration',
  0x08: 'gpsAntennaCut',
  0x09: 'gpsAntennaCut',
  0x25: 'removing',
  0x81: 'lowspeed',
  0x82: 'overspeed',
  0x83: 'geofenceEnter',
  0x84: 'geofenceExit',
  0x85: 'accident',
  0x86: 'fallDown',
};

const SCALE = 1_800_000;

/** What comes first may be followed by less than the type promises. */
function leniently(draft: Draft, read: () => void): Draft {
  try {
    read();
  } catch (error) {
    if (!(error instanceof CodecError) || draft.deviceTime === undefined) throw error;
  }
  return draft;
}

/** Status word of the old messages: each value has a bit that says whether it is known. */
export function readOldStatus(word: number, { attributes }: Draft): void {
  if (word & 0x0002) attributes['ignition'] = (word & 0x0004) !== 0;
  if (word & 0x0008) attributes['armed'] = (word & 0x0010) !== 0;
  if (word & 0x0020) attributes['blocked'] = (word & 0x0040) === 0;
  if (word & 0x0080) attributes['charge'] = (word & 0x0100) !== 0;
  attributes['status'] = word;
}

/** Old location, alarm, state and short message (02, 04, 05, 06). */
export function readOld(type: number, index: number, reader: Reader): Draft {
  const draft = new Draft({ index });
  return leniently(draft, () => {
    const time = reader.u32() * 1000;
    const latitude = ninePlaces(reader.i32() / SCALE);
    draft.setFix(time, false, latitude, ninePlaces(reader.i32() / SCALE));
    const speed = reader.u8();
    draft.setMovement(undefined, speed, reader.u16());
    draft.addCell({ mcc: reader.u16(), mnc: reader.u16(), lac: reader.u16(), cid: reader.u24() });
    draft.valid = (reader.u8() & 1) !== 0;
    OLD_TAILS[type]!(reader, draft);
  });
}

const OLD_TAILS: Readonly<Record<number, (reader: Reader, draft: Draft) => void>> = {
  2: (reader, draft) => {
    if (reader.remaining >= 2) readOldStatus(reader.u16(), draft);
    if (reader.remaining < 8) return;
    draft.attributes['battery'] = reader.u16() / 1000;
    draft.attributes['rssi'] = reader.u16();
    draft.attributes['adc1'] = reader.u16();
    draft.attributes['adc2'] = reader.u16();
  },
  4: (reader, draft) => draft.addAlarm(ALARMS[reader.u8()]),
  5: (reader, draft) => {
    const event = reader.u8();
    draft.attributes['event'] = event;
    if (event >= 1 && event <= 3) reader.skip(4);
    if (reader.remaining >= 2) readOldStatus(reader.u16(), draft);
  },
  6: () => {},
};

/** dBm in one byte, some with a sign and some without one; below -128 none can be. */
function strength(reader: Reader): number {
  const value = reader.u8();
  return value > 0x7f ? value - 0x100 : 0 - value;
}

function readCells(flags: number, reader: Reader, draft: Draft): void {
  let mcc = 0;
  let mnc = 0;
  if (flags & 0x02) {
    mcc = reader.u16();
    mnc = reader.u16();
  }
  for (let bit = 0x02; bit <= 0x08; bit <<= 1) {
    if (flags & bit) draft.addCell({ mcc, mnc, lac: reader.u16(), cid: reader.u32(), rssi: strength(reader) });
  }
}

function readAccessPoints(flags: number, reader: Reader, draft: Draft): void {
  for (let bit = 0x10; bit <= 0x40; bit <<= 1) {
    if (!(flags & bit)) continue;
    const hex = toHex(reader.view(6));
    draft.addAccessPoint(hex.replace(/(..)(?=.)/g, '$1:'), strength(reader));
  }
}

/** Cells of later radio technologies, by their physical id. */
function readLaterCells(reader: Reader, draft: Draft): void {
  reader.skip(1);
  const count = reader.u8();
  if (count === 0) return;
  const mcc = reader.u16();
  const mnc = reader.u16();
  const lac = reader.u16();
  reader.skip(2 + 4 + 2);
  for (let n = 0; n < count; n++) {
    const cid = reader.u16();
    reader.skip(2);
    draft.addCell({ mcc, mnc, lac, cid, rssi: strength(reader) });
  }
}

/** Status word of the new messages. */
export function readNewStatus(word: number, draft: Draft): void {
  const { attributes } = draft;
  draft.valid = (word & 0x0001) !== 0;
  if (word & 0x0002) attributes['ignition'] = (word & 0x0004) !== 0;
  if (word & 0x0008) {
    attributes['armed'] = (word & 0x0010) !== 0;
    attributes['motion'] = (word & 0x0200) !== 0;
  }
  if (word & 0x0020) attributes['blocked'] = (word & 0x0040) !== 0;
  if (word & 0x0080) attributes['charge'] = (word & 0x0100) !== 0;
  attributes['gps'] = (word & 0x0400) !== 0;
  attributes['status'] = word;
}

function readSensors(reader: Reader, attributes: Draft['attributes']): void {
  attributes['temp1'] = reader.i16() / 256;
  attributes['humidity'] = reader.u16() / 10;
  attributes['illuminance'] = reader.u32() / 256;
  attributes['co2'] = reader.u32();
}

const TAG_BYTES = 16;

/** Further values of a location (12), each only where all its bytes are there. */
function readTail(reader: Reader, { attributes }: Draft): void {
  if (reader.remaining >= 2) attributes['battery'] = reader.u16() / 1000;
  if (reader.remaining >= 4) {
    attributes['adc0'] = reader.u16();
    attributes['adc1'] = reader.u16();
  }
  if (reader.remaining >= 4) attributes['odometer'] = reader.u32();
  if (reader.remaining >= 4) reader.skip(4);
  if (reader.remaining >= 4) {
    attributes['steps'] = reader.u16();
    reader.skip(2);
  }
  if (reader.remaining >= 12) readSensors(reader, attributes);
  if (reader.remaining >= 2) attributes['temp2'] = reader.i16() / 16;
  if (reader.remaining < 2) return;
  const count = reader.u8();
  reader.skip(1);
  for (let n = 1; n <= count && reader.remaining >= TAG_BYTES; n++) {
    attributes[`tag${n}Id`] = toHex(reader.view(6));
    reader.skip(4);
    attributes[`tag${n}Battery`] = reader.u16() / 1000;
    attributes[`tag${n}Temp`] = reader.i16() / 256;
    attributes[`tag${n}Data`] = reader.u16();
  }
}

const LOCATION = 0x12;
const WARNING = 0x14;
const REPORT = 0x15;
const MESSAGE = 0x16;
const PHONE_BYTES = 21;

const withoutEnd = (text: string): string => text.replace(/\0+$/, '');

/** A short message that came to the device. */
function readMessage(reader: Reader, { attributes }: Draft): void {
  attributes['phone'] = withoutEnd(reader.latin1(PHONE_BYTES));
  attributes['message'] = withoutEnd(reader.utf8(reader.remaining));
}

const BEACON_BYTES = 12;
const BEFORE_BEACONS = 26;

/** Collectors of beacons have a tail of their own: it ends before the beacons, or counts them and says version 1. */
function isOfBeacons(reader: Reader): boolean {
  const { remaining } = reader;
  if (remaining < BEFORE_BEACONS) return remaining === BEFORE_BEACONS - 2;
  return reader.peekU8(25) === 1 && remaining === BEFORE_BEACONS + reader.peekU8(24) * BEACON_BYTES;
}

function readBeacons(reader: Reader, { attributes }: Draft): void {
  attributes['battery'] = reader.u16() / 1000;
  attributes['odometer'] = reader.u32();
  readSensors(reader, attributes);
  for (const axis of ['X', 'Y', 'Z']) attributes[`acceleration${axis}`] = reader.i16();
  if (reader.remaining < 2) return;
  const count = reader.u8();
  reader.skip(1);
  for (let n = 1; n <= count; n++) {
    attributes[`tag${n}Id`] = toHex(reader.view(6));
    reader.skip(1);
    attributes[`tag${n}Rssi`] = reader.i8();
    attributes[`tag${n}Battery`] = Math.round((reader.u16() * 3600) / 4095) / 1000;
    attributes[`tag${n}Temp`] = reader.i16() / 256;
  }
}

/** New location, warning, report, command and vehicle messages (12 to 19). */
export function readNew(type: number, index: number, reader: Reader): Draft {
  const draft = new Draft({ index });
  return leniently(draft, () => {
    const time = reader.u32() * 1000;
    draft.deviceTime = time;
    const flags = reader.u8();
    if (flags & 0x01) {
      const latitude = ninePlaces(reader.i32() / SCALE);
      // the bit says that the fix is valid; where a status follows, that says it better
      draft.setFix(time, true, latitude, ninePlaces(reader.i32() / SCALE));
      draft.setMovement(reader.i16(), reader.u16(), reader.u16());
      draft.attributes['sat'] = reader.u8();
    }
    readCells(flags, reader, draft);
    readAccessPoints(flags, reader, draft);
    if (flags & 0x80) readLaterCells(reader, draft);
    if (type === MESSAGE) readMessage(reader, draft);
    if (type === WARNING || type === REPORT) {
      const event = reader.u8();
      draft.attributes['event'] = event;
      if (type === WARNING) draft.addAlarm(ALARMS[event]);
    }
    if (type === LOCATION || type === WARNING || type === REPORT) readNewStatus(reader.u16(), draft);
    if (type !== LOCATION) return;
    if (isOfBeacons(reader)) readBeacons(reader, draft);
    else readTail(reader, draft);
  });
}

/** Steps (1A), of which the first number is that of the day. */
export function readPedometer(index: number, reader: Reader): Draft {
  const draft = new Draft({ index });
  draft.deviceTime = reader.u32() * 1000;
  draft.attributes['steps'] = reader.u32();
  return draft;
}

/** Vehicle values (07): items of five bytes. */
export function readVehicle(reader: Reader): Draft {
  const draft = new Draft();
  draft.deviceTime = reader.u32() * 1000;
  const { attributes } = draft;
  while (reader.remaining >= 5) {
    const id = reader.u8();
    const value = reader.i32();
    if (id === 0x89) attributes['fuelConsumption'] = value;
    else if (id === 0x8a) attributes['odometer'] = value * 1000;
    else if (id === 0x8b) attributes['fuel'] = Math.trunc(value / 10);
  }
  return draft;
}
