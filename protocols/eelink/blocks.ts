import { CodecError, Draft, ninePlaces, type Reader, toHex } from '#codec';
import { readNetwork } from './network.ts';
import { readNewStatus, readOldStatus } from './status.ts';
import { ALARMS, readWarning } from './warning.ts';

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

function readSensors(reader: Reader, attributes: Draft['attributes']): void {
  attributes['temp1'] = reader.i16() / 256;
  attributes['humidity'] = reader.u16() / 10;
  attributes['illuminance'] = reader.u32() / 256;
  attributes['co2'] = reader.u32();
}

const TAG_BYTES = 16;

/** The address of a beacon comes with its last byte first. */
const readAddress = (reader: Reader): string => toHex(Uint8Array.from(reader.view(6)).reverse());

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
    attributes[`tag${n}Id`] = readAddress(reader);
    attributes[`tag${n}Rssi`] = reader.i8();
    reader.skip(3);
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
    attributes[`tag${n}Id`] = readAddress(reader);
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
    readNetwork(flags, reader, draft);
    if (type === MESSAGE) readMessage(reader, draft);
    if (type === WARNING) readWarning(reader, draft);
    if (type === REPORT) draft.attributes['event'] = reader.u8();
    if (type === REPORT || type === LOCATION) readNewStatus(reader.u16(), draft);
    if (type !== LOCATION) return;
    if (isOfBeacons(reader)) readBeacons(reader, draft);
    else readTail(reader, draft);
  });
}

const TIME_DISTANCE_ENERGY = 12;

/** Steps (1A): four numbers of the whole time, then of the last day, steps first. */
export function readPedometer(index: number, reader: Reader): Draft {
  const draft = new Draft({ index });
  draft.deviceTime = reader.u32() * 1000;
  const { attributes } = draft;
  attributes['stepsTotal'] = reader.u32();
  reader.skip(TIME_DISTANCE_ENERGY);
  attributes['steps'] = reader.u32();
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
