import { type Attributes, Draft, type Message, Reader, readOptional } from '#codec';

/** Checksum, number, time, type, length, latitude and longitude, flags. */
const PACKET_BYTES = 21;
const NOTHING = 0xffff_ffff;
const [ARCHIVE, SOUTH, WEST] = [0x01, 0x40, 0x80] as const;
const NO_TEMPERATURE = 0x7fff;
const NO_FUEL = 0xffff;
/** fewer satellites than these are no fix */
const MIN_SATELLITES = 3;

type ReadPacket = (reader: Reader, draft: Draft) => void;

/** Angles are fractions of the greatest one, as in EGTS; all ones where there is none. */
function readPlace(reader: Reader): readonly [latitude: number, longitude: number] | undefined {
  const [latitude, longitude] = [reader.u32LE(), reader.u32LE()];
  if (latitude === NOTHING || longitude === NOTHING) return undefined;
  return [degrees(latitude, 90), degrees(longitude, 180)];
}

/** Seven places: half a centimetre, and less than the angles are apart. */
const degrees = (fraction: number, most: number): number => Math.round((fraction / NOTHING) * most * 1e7) / 1e7;

const volts = (reader: Reader): number => reader.u16LE() / 100;

function readTemperature(reader: Reader, draft: Draft, key: string): void {
  const hundredths = reader.i16LE();
  if (hundredths !== NO_TEMPERATURE) draft.attributes[key] = hundredths / 100;
}

/** A container may have the inputs several times: the first ones count. */
function setInput(attributes: Attributes, input: number): void {
  attributes['input'] ??= input;
}

/** What a fuel sensor shows; 0, or all ones as -1 in texts, where there is none. */
function readFuel(reader: Reader, draft: Draft, key: string): void {
  const level = reader.u16LE();
  if (level !== 0 && level !== NO_FUEL) draft.attributes[key] = level;
}

/** Of one sensor: its place, its temperature, its level. */
function readFuelSensor(reader: Reader, draft: Draft): void {
  reader.skip(2);
  readFuel(reader, draft, 'fuelSensor1');
}

/** Acceleration, then the four fuel sensors of RS-485. */
function readFuelSensors(reader: Reader, draft: Draft): void {
  reader.skip(6);
  for (let n = 1; n <= 4; n++) readFuel(reader, draft, `fuelSensor${n}`);
}

function readSensors(reader: Reader, draft: Draft): void {
  const { attributes } = draft;
  attributes['event'] = reader.u16LE();
  setInput(attributes, reader.u16LE());
  attributes['battery'] = volts(reader);
  attributes['power'] = volts(reader);
  reader.skip(12); // two other voltages, state of the supply, acceleration
  const [adcs, lines, thermometers, keys] = [reader.u8(), reader.u8(), reader.u8(), reader.u8()];
  for (let n = 1; n <= adcs; n++) attributes[`adc${n}`] = volts(reader);
  for (let n = 1; n <= lines; n++) {
    reader.skip(4); // frequency
    attributes[`count${n}`] = reader.u32LE();
  }
  for (let n = 1; n <= thermometers; n++) readTemperature(reader, draft, `temp${n}`);
  if (keys > 0) attributes['driverUniqueId'] = reader.hex(8);
}

/** Speed in hundredths of km/h; the altitude stands before it, the place behind. */
function readMovement(reader: Reader, draft: Draft, satellites: number, courseDivisor: number): void {
  draft.attributes['sat'] = satellites;
  draft.valid = draft.hasFix && satellites >= MIN_SATELLITES;
  const speed = reader.u16LE() / 100;
  draft.setMovement(draft.altitude, speed, reader.u16LE() / courseDivisor);
}

function readGps(reader: Reader, draft: Draft): void {
  const { attributes } = draft;
  attributes['power'] = volts(reader);
  attributes['battery'] = volts(reader);
  readFuel(reader, draft, 'fuelSensor1');
  const states = reader.u8();
  attributes['motion'] = (states & 0x0f) === 0;
  attributes['ignition'] = states >> 4 !== 0;
  setInput(attributes, reader.u8());
  reader.skip(1); // kind of the fix
  const satellites = reader.u8();
  attributes['hdop'] = reader.u16LE() / 100;
  draft.altitude = reader.i16LE();
  reader.skip(2); // height of the geoid
  readMovement(reader, draft, satellites, 100);
}

function readRoute(reader: Reader, draft: Draft): void {
  const { attributes } = draft;
  attributes['power'] = volts(reader);
  attributes['battery'] = volts(reader);
  readFuel(reader, draft, 'fuelSensor1');
  attributes['motion'] = reader.u8() === 0;
  attributes['ignition'] = reader.u8() !== 0;
  setInput(attributes, reader.u8());
  for (const key of ['count1', 'count2']) {
    reader.skip(2); // frequency
    attributes[key] = reader.u16LE();
  }
  reader.skip(2); // antenna, kind of the fix
  const satellites = reader.u8();
  draft.altitude = reader.i16LE();
  reader.skip(10); // height of the geoid, the place again
  readMovement(reader, draft, satellites, 1);
  attributes['adc1'] = volts(reader);
  attributes['count3'] = reader.u16LE();
  readTemperature(reader, draft, 'temp1');
}

function readShortRoute(reader: Reader, draft: Draft): void {
  reader.skip(2); // antenna, kind of the fix
  readMovement(reader, draft, reader.u8(), 1);
}

/** The place of the button in the header counts. */
function readButton(reader: Reader, draft: Draft): void {
  reader.skip(12);
  if (reader.u8() === 1) draft.addAlarm('sos');
}

const PACKETS = new Map<number, ReadPacket>([
  [0x0001, readSensors],
  [0x0003, readGps],
  [0x0004, readFuelSensor],
  [0x000a, readButton],
  [0x0040, readRoute],
  [0x0042, readFuelSensors],
  [0x0045, readShortRoute],
]);

/** Packets of a container; those of one time are one record. */
export function readPackets(reader: Reader): Message[] {
  const drafts: Draft[] = [];
  while (reader.remaining >= PACKET_BYTES) {
    reader.skip(2);
    const index = reader.u16LE();
    const seconds = reader.u32LE();
    const [type, length] = [reader.u16LE(), reader.u16LE()];
    const place = readPlace(reader);
    const flags = reader.u8();
    const content = new Reader(reader.view(Math.min(length, reader.remaining)));
    if (seconds === 0) continue;
    const time = seconds * 1000;
    const last = drafts.at(-1);
    const draft = last?.deviceTime === time ? last : new Draft({ index });
    if (draft !== last) drafts.push(draft);
    draft.deviceTime = time;
    if (place !== undefined && !draft.hasFix) {
      const [latitude, longitude] = place;
      draft.setFix(time, true, flags & SOUTH ? 0 - latitude : latitude, flags & WEST ? 0 - longitude : longitude);
    }
    if (flags & ARCHIVE) draft.attributes['archive'] = true;
    readOptional(() => PACKETS.get(type)?.(content, draft));
  }
  return drafts.map((draft) => draft.toPosition());
}
