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

const strength = (reader: Reader): number => 0 - reader.u8();

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
function readNewStatus(word: number, draft: Draft): void {
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
  if (reader.remaining >= 12) {
    attributes['temp1'] = reader.i16() / 256;
    attributes['humidity'] = reader.u16() / 10;
    attributes['illuminance'] = reader.u32() / 256;
    attributes['co2'] = reader.u32();
  }
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

/** New location, warning, report, command and vehicle messages (12 to 19). */
export function readNew(type: number, index: number, reader: Reader): Draft {
  const draft = new Draft({ index });
  return leniently(draft, () => {
    const time = reader.u32() * 1000;
    draft.deviceTime = time;
    const flags = reader.u8();
    if (flags & 0x01) {
      const latitude = ninePlaces(reader.i32() / SCALE);
      draft.setFix(time, false, latitude, ninePlaces(reader.i32() / SCALE));
      draft.setMovement(reader.i16(), reader.u16(), reader.u16());
      draft.attributes['sat'] = reader.u8();
    }
    readCells(flags, reader, draft);
    readAccessPoints(flags, reader, draft);
    if (flags & 0x80) readLaterCells(reader, draft);
    if (type === WARNING) draft.addAlarm(ALARMS[reader.u8()]);
    if (type === REPORT) reader.skip(1);
    if (type === LOCATION || type === WARNING || type === REPORT) readNewStatus(reader.u16(), draft);
    if (type === LOCATION) readTail(reader, draft);
  });
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
