import { type Attributes, Draft, ninePlaces, type Reader, toHex } from '#codec';
import { ACCELERATION_ALARMS, BUTTON_ALARMS, DRIVING_ALARMS } from './elements.ts';
import { readCells } from './location.ts';
import { bcd16, OBD, type Packet, readUtf16 } from './packet.ts';

const setText = (draft: Draft, key: string, text: string): void => {
  if (text !== '') draft.attributes[key] = text;
};

/** Network information (11, of asset trackers 05): five texts. */
export function readNetwork({ reader }: Packet): Draft[] {
  const draft = new Draft();
  draft.deviceTime = reader.bcdDate6();
  const operator = readUtf16(reader, reader.u8());
  setText(draft, 'operator', operator);
  setText(draft, 'networkTechnology', reader.latin1(reader.u8()));
  setText(draft, 'networkBand', reader.latin1(reader.u8()));
  reader.skip(reader.u8());
  setText(draft, 'iccid', reader.latin1(reader.u8()));
  return [draft];
}

const NOT_THERE = 0xffff;
const RECORD_BYTES = 22;
const RPM_BYTES = 2;

/** Coordinates as floats; all bits set: no coordinates. */
function readPlace(reader: Reader, draft: Draft, time: number): number | undefined {
  if (reader.peekU8() === 0xff && reader.peekU8(1) === 0xff && reader.peekU8(2) === 0xff && reader.peekU8(3) === 0xff) {
    reader.skip(12);
    return undefined;
  }
  const altitude = reader.f32LE();
  const longitude = ninePlaces(reader.exactF32LE());
  draft.setFix(time, true, ninePlaces(reader.exactF32LE()), longitude);
  return altitude;
}

function readRpm({ reader, head }: Packet, { attributes }: Draft): void {
  const rpm = head === OBD ? reader.u16() : NOT_THERE;
  if (rpm !== NOT_THERE) attributes['rpm'] = rpm;
}

/** Driver behaviour by satellites (05): records before and after; the alarm goes on the last one. */
export function readDriving(packet: Packet): Draft[] {
  const { reader, head } = packet;
  const alarm = DRIVING_ALARMS[reader.u8()];
  const drafts: Draft[] = [];
  while (reader.remaining >= RECORD_BYTES + (head === OBD ? RPM_BYTES : 0)) {
    const draft = new Draft();
    const time = reader.bcdDate6();
    draft.deviceTime = time;
    const altitude = readPlace(reader, draft, time);
    const speed = bcd16(reader) / 10;
    const course = reader.u16();
    draft.setMovement(altitude, speed, course === NOT_THERE ? undefined : course);
    readRpm(packet, draft);
    drafts.push(draft);
  }
  drafts.at(-1)?.addAlarm(alarm);
  return drafts;
}

/** Driver behaviour by accelerometer (06). */
export function readAccelerometer(packet: Packet): Draft[] {
  const { reader } = packet;
  const draft = new Draft();
  draft.addAlarm(ACCELERATION_ALARMS[reader.u8()]);
  draft.deviceTime = reader.bcdDate6();
  const flags = reader.u8();
  reader.skip(5);
  readFlaggedPlace(reader, draft, flags);
  readRpm(packet, draft);
  return [draft];
}

const temperature = (raw: number): number => ((raw & 0x8000 ? -1 : 1) * (raw & 0x7fff)) / 100;
const VALID = 0x40;
const STORED = 0x80;
const NOT_THERE_8 = 0xff;
const identity = (reader: Reader): string => toHex(reader.view(6));

/** A place, or the network instead of it. */
function readFlaggedPlace(reader: Reader, draft: Draft, flags: number): void {
  draft.attributes['sat'] = flags & 0x1f;
  if (flags & STORED) draft.attributes['archive'] = true;
  if ((flags & VALID) === 0) {
    readCells(reader, draft);
    return;
  }
  const altitude = readPlace(reader, draft, draft.deviceTime!);
  const speed = bcd16(reader) / 10;
  draft.setMovement(altitude, speed, reader.u16());
}

type Reading = (attributes: Attributes, key: string) => void;

/** A value unless all its bits are set. */
const byte =
  (reader: Reader, convert: (raw: number) => number): Reading =>
  (attributes, key) => {
    const raw = reader.u8();
    if (raw !== NOT_THERE_8) attributes[key] = convert(raw);
  };
const word =
  (reader: Reader, convert: (raw: number) => number): Reading =>
  (attributes, key) => {
    const raw = reader.u16();
    if (raw !== NOT_THERE) attributes[key] = convert(raw);
  };

const same = (raw: number): number => raw;
const volts = (raw: number): number => (raw + 200) / 100;
const signal = (raw: number): number => raw - 128;

/** Kind of a Bluetooth item → its reading, with the beginning of its keys. */
const SENSORS: Readonly<Record<number, (reader: Reader, draft: Draft, tag: string) => void>> = {
  1: (reader, { attributes }, tag) => {
    attributes[`${tag}Id`] = identity(reader);
    byte(reader, (raw) => (raw + 122) / 100)(attributes, `${tag}Battery`);
    byte(reader, (raw) => (raw * 3144) / 1000)(attributes, `${tag}TirePressure`);
    byte(reader, (raw) => raw - 55)(attributes, `${tag}TireTemp`);
    attributes[`${tag}TireStatus`] = reader.u8();
  },
  2: (reader, draft, tag) => {
    draft.attributes[`${tag}Id`] = identity(reader);
    draft.attributes[`${tag}Battery`] = reader.bcd() / 10;
    draft.addAlarm(BUTTON_ALARMS[reader.u8()]);
    readFlaggedPlace(reader, draft, reader.u8());
  },
  3: (reader, draft, tag) => {
    draft.attributes['driverUniqueId'] = identity(reader);
    draft.attributes[`${tag}Battery`] = reader.bcd() / 10;
    if (reader.u8() === 1) draft.addAlarm('lowBattery');
    readFlaggedPlace(reader, draft, reader.u8());
  },
  4: (reader, { attributes }, tag) => {
    attributes[`${tag}Id`] = identity(reader);
    byte(reader, volts)(attributes, `${tag}Battery`);
    byte(reader, same)(attributes, `${tag}BatteryLevel`);
    word(reader, temperature)(attributes, `${tag}Temp`);
    word(reader, (raw) => raw / 100)(attributes, `${tag}Humidity`);
    word(reader, same)(attributes, `${tag}LightSensor`);
    byte(reader, signal)(attributes, `${tag}Rssi`);
  },
  5: (reader, { attributes }, tag) => {
    attributes[`${tag}Id`] = identity(reader);
    byte(reader, volts)(attributes, `${tag}Battery`);
    byte(reader, same)(attributes, `${tag}BatteryLevel`);
    word(reader, temperature)(attributes, `${tag}Temp`);
    attributes[`${tag}Door`] = reader.u8() > 0;
    byte(reader, signal)(attributes, `${tag}Rssi`);
  },
  6: (reader, { attributes }, tag) => {
    attributes[`${tag}Id`] = identity(reader);
    byte(reader, volts)(attributes, `${tag}Battery`);
    byte(reader, same)(attributes, `${tag}BatteryLevel`);
    word(reader, temperature)(attributes, `${tag}Temp`);
    attributes[`${tag}Output`] = reader.u8() > 0;
    byte(reader, signal)(attributes, `${tag}Rssi`);
  },
};

/** Bluetooth sensors (10): items to the end. */
export function readSensors({ reader }: Packet): Draft[] {
  const draft = new Draft();
  draft.deviceTime = reader.bcdDate6();
  draft.attributes['ignition'] = reader.u8() > 0;
  for (let n = 1; reader.remaining >= 2; n++) SENSORS[reader.u16()]?.(reader, draft, `tag${n}`);
  return [draft];
}
