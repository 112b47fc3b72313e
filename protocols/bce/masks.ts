import { type Attributes, type Draft, ninePlaces, type Reader } from '#codec';

/** A structure that is being read. The odometer of the vehicle's bus comes behind that of the device, and counts. */
export interface Into {
  readonly draft: Draft;
  readonly time: number;
  odometer: number | undefined;
}

type Read = (into: Into, reader: Reader) => void;
type Size = 'u8' | 'u16LE' | 'u16' | 'u24LE' | 'u32LE' | 'i8';

const value =
  (key: string, size: Size, factor = 1, offset = 0): Read =>
  ({ draft: { attributes } }, reader) => {
    attributes[key] = reader[size]() * factor + offset;
  };

const skip =
  (count: number): Read =>
  (_, reader) =>
    reader.skip(count);

const KELVIN = 273;
/** Tenths of a kelvin; 0 is a sensor that is not connected. */
const temperature = (attributes: Attributes, key: string, raw: number): void => {
  if (raw !== 0) attributes[key] = raw / 10 - KELVIN;
};

const odometer: Read = (into, reader) => {
  into.odometer = reader.u32LE();
};

const place: Read = (into, reader) => {
  const { draft } = into;
  const longitude = ninePlaces(reader.exactF32LE());
  draft.setFix(into.time, true, ninePlaces(reader.exactF32LE()), longitude);
  const speed = reader.u8();
  const precision = reader.u8();
  draft.attributes['sat'] = precision & 0x0f;
  draft.attributes['hdop'] = precision >> 4;
  const course = reader.u8() * 2;
  draft.setMovement(reader.u16LE(), speed, course);
  odometer(into, reader);
};

const cell: Read = ({ draft }, reader) => {
  const [mcc, mnc, lac, cid] = [reader.u16LE(), reader.u8(), reader.u16LE(), reader.u16LE()];
  // time advance
  reader.skip(1);
  draft.addCell({ mcc, mnc, lac, cid, rssi: -reader.u8() });
};

/** SPN 110: 0 is a bus that is not connected. */
const coolant: Read = ({ draft: { attributes } }, reader) => {
  const raw = reader.u8();
  if (raw !== 0) attributes['coolantTemp'] = raw - 40;
};

/** SPN 247 of the FMS standard: 0.05 h. */
const HOURS_MS = 180_000;

const driver: Read = ({ draft: { attributes } }, reader) => {
  const card = reader.u64LE();
  if (card !== 0n) attributes['driverUniqueId'] = String(card);
};

/** A level and a temperature each of two sensors. */
const fuelSensors =
  (first: number): Read =>
  (into, reader) => {
    for (const number of [first, first + 1]) {
      value(`fuel${number}`, 'u16LE')(into, reader);
      value(`fuelTemp${number}`, 'i8')(into, reader);
    }
  };

const driving: Read = (into, reader) => {
  for (const key of ['maxAcceleration', 'maxBraking', 'maxCornering']) value(key, 'u8', 1 / 50)(into, reader);
};

const temperatures: Read = ({ draft: { attributes } }, reader) => {
  for (const number of [1, 2, 3, 4]) {
    temperature(attributes, `temp${number}`, reader.u16LE());
    reader.skip(8);
  }
};

const DRIVER_CHARACTERS = 16;

const driverCards: Read = ({ draft: { attributes } }, reader) => {
  for (const key of ['driver1', 'driver2']) {
    const text = reader.latin1(DRIVER_CHARACTERS).replaceAll('\0', '').trim();
    if (text !== '') attributes[key] = text;
  }
};

const ADCS = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => value(`adc${number}`, 'u16LE'));

/** What each bit of the masks says to be there, from bit 0 up. */
export const MASKS: readonly (readonly Read[])[] = [
  [place, value('input', 'u16LE'), ...ADCS, skip(4), skip(4), value('fuel1', 'u16'), value('fuel2', 'u16'), cell],
  [
    skip(2),
    skip(1),
    value('fuelUsed', 'u32LE', 0.5),
    value('fuel', 'u8'),
    value('rpm', 'u16LE', 0.125),
    value('hours', 'u32LE', HOURS_MS),
    odometer,
    coolant,
    value('fuel2', 'u8'),
    value('engineLoad', 'u8'),
    value('serviceOdometer', 'u16LE'),
    skip(8),
    skip(2),
    skip(8),
    value('fuelConsumption', 'u16LE'),
  ],
  [
    skip(2),
    value('fuelConsumption', 'u32LE'),
    value('axleWeight', 'u24LE'),
    skip(1),
    skip(20),
    skip(2),
    driver,
    ({ draft }, reader) => temperature(draft.attributes, 'temp1', reader.u16LE()),
    skip(2),
    fuelSensors(1),
    fuelSensors(3),
    skip(21),
    skip(20),
    skip(9),
    skip(21),
  ],
  [skip(4), skip(30), skip(4), skip(10), skip(1), skip(2), driving, skip(16), temperatures, driverCards, odometer],
];
