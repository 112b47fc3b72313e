import { Draft, ninePlaces, type Reader, toHex } from '#codec';
import { ACCELERATION_ALARMS, BUTTON_ALARMS, DRIVING_ALARMS } from './elements.ts';
import { bcd16, type Packet, readUtf16 } from './packet.ts';

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
const RECORD_BYTES = 24;

/** Coordinates as floats; all bits set: no coordinates. */
function readPlace(reader: Reader, draft: Draft, time: number, valid: boolean): number | undefined {
  draft.deviceTime = time;
  if (reader.peekU8() === 0xff && reader.peekU8(1) === 0xff && reader.peekU8(2) === 0xff && reader.peekU8(3) === 0xff) {
    reader.skip(12);
    return undefined;
  }
  const altitude = reader.f32LE();
  const longitude = ninePlaces(reader.exactF32LE());
  draft.setFix(time, valid, ninePlaces(reader.exactF32LE()), longitude);
  return altitude;
}

/** Driver behaviour by satellites (05): records before and after; the alarm goes on the last one. */
export function readDriving({ reader }: Packet): Draft[] {
  const alarm = DRIVING_ALARMS[reader.u8()];
  const drafts: Draft[] = [];
  while (reader.remaining >= RECORD_BYTES) {
    const draft = new Draft();
    const altitude = readPlace(reader, draft, reader.bcdDate6(), true);
    const speed = bcd16(reader) / 10;
    const course = reader.u16();
    const rpm = reader.u16();
    draft.setMovement(altitude, speed, course === NOT_THERE ? undefined : course / 10);
    if (rpm !== NOT_THERE) draft.attributes['rpm'] = rpm;
    drafts.push(draft);
  }
  drafts.at(-1)?.addAlarm(alarm);
  return drafts;
}

/** Driver behaviour by accelerometer (06). */
export function readAccelerometer({ reader }: Packet): Draft[] {
  const draft = new Draft();
  draft.addAlarm(ACCELERATION_ALARMS[reader.u8()]);
  const time = reader.bcdDate6();
  const isValid = (reader.u8() & 0x80) === 0;
  reader.skip(5);
  const altitude = readPlace(reader, draft, time, isValid);
  const speed = bcd16(reader) / 10;
  draft.setMovement(altitude, speed, reader.u16() / 10);
  draft.attributes['rpm'] = reader.u16();
  return [draft];
}

const temperature = (raw: number): number => ((raw & 0x8000 ? -1 : 1) * (raw & 0x7fff)) / 100;
const LOCATION_BYTES = 16;
const identity = (reader: Reader): string => toHex(reader.view(6));

/** Kind of a Bluetooth item → its reading, with the beginning of its keys. */
const SENSORS: Readonly<Record<number, (reader: Reader, draft: Draft, tag: string) => void>> = {
  1: (reader, { attributes }, tag) => {
    attributes[`${tag}Id`] = identity(reader);
    attributes[`${tag}Battery`] = reader.u8() / 100 + 1.22;
    attributes[`${tag}TirePressure`] = reader.u8() * 3.054;
    attributes[`${tag}TireTemp`] = reader.u8() - 55;
    attributes[`${tag}TireStatus`] = reader.u8();
  },
  2: (reader, draft, tag) => {
    draft.attributes[`${tag}Id`] = identity(reader);
    draft.attributes[`${tag}Battery`] = reader.bcd() / 10;
    draft.addAlarm(BUTTON_ALARMS[reader.u8()]);
    reader.skip(1 + LOCATION_BYTES);
  },
  3: (reader, draft, tag) => {
    draft.attributes['driverUniqueId'] = identity(reader);
    draft.attributes[`${tag}Battery`] = reader.bcd() / 10;
    if (reader.u8() === 1) draft.addAlarm('lowBattery');
    reader.skip(1 + LOCATION_BYTES);
  },
  4: (reader, { attributes }, tag) => {
    attributes[`${tag}Id`] = identity(reader);
    attributes[`${tag}Battery`] = reader.u8() / 100 + 2;
    reader.skip(1);
    attributes[`${tag}Temp`] = temperature(reader.u16());
    attributes[`${tag}Humidity`] = reader.u16() / 100;
    attributes[`${tag}LightSensor`] = reader.u16();
    attributes[`${tag}Rssi`] = reader.u8() - 128;
  },
  5: (reader, { attributes }, tag) => {
    attributes[`${tag}Id`] = identity(reader);
    attributes[`${tag}Battery`] = reader.u8() / 100 + 2;
    reader.skip(1);
    attributes[`${tag}Temp`] = temperature(reader.u16());
    attributes[`${tag}Door`] = reader.u8() > 0;
    attributes[`${tag}Rssi`] = reader.u8() - 128;
  },
  6: (reader, { attributes }, tag) => {
    attributes[`${tag}Id`] = identity(reader);
    attributes[`${tag}Battery`] = reader.u8() / 100 + 2;
    attributes[`${tag}Output`] = reader.u8() > 0;
    attributes[`${tag}Rssi`] = reader.u8() - 128;
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
