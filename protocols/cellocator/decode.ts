import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  type Message,
  ninePlaces,
  numberedKey,
  Reader,
  type Reply,
  storedReply,
  sum8,
  toHex,
  utcFromCalendar,
  Writer,
} from '#codec';
import { isAlternative } from './frame.ts';

export type State = Record<string, never>;

const STATUS = 0;
const SERIAL = 8;
const MODULAR = 11;
const DEGREES = 180 / Math.PI;

/** Transmission reasons, decimal. */
const ALARMS: Readonly<Record<number, string>> = { 70: 'sos', 80: 'powerCut', 81: 'lowPower' };

interface Units {
  /** coordinates and course to degrees, speed to km/h */
  readonly coordinate: number;
  readonly course: number;
  readonly speed: number;
}

const USUAL: Units = { coordinate: DEGREES / 100_000_000, course: DEGREES / 1000, speed: 0.036 };
const ALTERNATIVE: Units = { coordinate: 1 / 10_000_000, course: 1 / 1000, speed: 1 };

/** no driver's key */
const NOBODY = '000000000000';
/** in the receiver's first mode: how it found the place, 0 where it did not */
const NAVIGATION = 0x07;

const IGNITION = 0x2000_0000;
const DOOR = 0x0100_0000;
const OTHERS_INACTIVE = 0x8200_0000;
const CHARGE = 0x80;
/** volts of a step: 30 V, and 4.2 V, in 255 steps */
const [SUPPLY_VOLTS, BATTERY_VOLTS] = [30 / 255, 4.2 / 255];
/** a lithium cell has more volts than that; other allocations have something else there */
const FLAT = 2.5 / BATTERY_VOLTS;
const ADC = numberedKey('adc#');

/** Status and location (0): 70 bytes. */
function readStatus(reader: Reader, alternative: boolean): Draft {
  const draft = new Draft();
  const { attributes } = draft;
  const units = alternative ? ALTERNATIVE : USUAL;
  attributes['versionHw'] = reader.u8();
  attributes['versionFw'] = reader.u8();
  reader.skip(1);
  attributes['status'] = reader.u8() & 0x0f;
  reader.skip(2);
  const reason = reader.u8();
  attributes['event'] = reason;
  draft.addAlarm(ALARMS[reason]);
  attributes['mode'] = reader.u8();
  // The only word that is big endian.
  const input = reader.u32();
  attributes['input'] = input;
  attributes['ignition'] = (input & IGNITION) !== 0;
  addDoor(attributes, input, alternative);
  attributes['charge'] = (input & CHARGE) !== 0;
  reader.skip(1);
  for (let n = 1; n <= (alternative ? 2 : 4); n++) attributes[ADC(n)] = alternative ? reader.u16LE() : reader.u8();
  if (!alternative) addVoltages(attributes);
  attributes['odometer'] = reader.u24LE();
  const driver = toHex(reader.view(6));
  if (driver !== NOBODY) attributes['driverUniqueId'] = driver;
  reader.skip(2 + 1);
  const navigation = reader.u8() & NAVIGATION;
  reader.skip(1);
  const satellites = reader.u8();
  attributes['sat'] = satellites;
  const longitude = ninePlaces(reader.i32LE() * units.coordinate);
  const latitude = ninePlaces(reader.i32LE() * units.coordinate);
  draft.setMovement(reader.i32LE() / 100, reader.u32LE() * units.speed, ninePlaces(reader.u16LE() * units.course));
  draft.setFix(
    readTime(reader, () => reader.u16LE()),
    navigation !== 0 || satellites > 0,
    latitude,
    longitude,
  );
  return draft;
}

/**
 * "Door inactive" of the document: set while it is closed, as are its neighbours "unlock inactive" and "shock inactive".
 * Units that set none of them have no door.
 */
function addDoor(attributes: Draft['attributes'], input: number, alternative: boolean): void {
  const isSet = (input & DOOR) !== 0;
  if (alternative) attributes['door'] = isSet;
  else if (isSet || (input & OTHERS_INACTIVE) !== 0) attributes['door'] = !isSet;
}

/** By the usual allocation the first two analogue inputs are the supply and the unit's own battery. */
function addVoltages(attributes: Draft['attributes']): void {
  const [supply, battery] = [Number(attributes['adc1']), Number(attributes['adc2'])];
  if (supply > 0) attributes['power'] = Number((supply * SUPPLY_VOLTS).toFixed(3));
  if (battery > FLAT) attributes['battery'] = Number((battery * BATTERY_VOLTS).toFixed(3));
}

/** Second, minute, hour, day, month, year; UTC. */
function readTime(reader: Reader, readYear: () => number): number {
  const second = reader.u8();
  const minute = reader.u8();
  const hour = reader.u8();
  const day = reader.u8();
  const month = reader.u8();
  return utcFromCalendar(readYear(), month, day, hour, minute, second);
}

interface Modules {
  readonly draft: Draft;
  time?: number;
  place?: readonly [latitude: number, longitude: number];
}

const MODULES: Readonly<Record<number, (reader: Reader, modules: Modules) => void>> = {
  2: (reader, { draft }) => {
    reader.skip(2 + 4);
    for (let count = reader.u8(); count > 0; count--) {
      const id = reader.u16LE();
      reader.skip(1);
      draft.attributes[`io${id}`] = reader.u32LE();
    }
  },
  6: (reader, modules) => {
    reader.skip(4);
    const longitude = ninePlaces(reader.i32LE() * USUAL.coordinate);
    modules.place = [ninePlaces(reader.i32LE() * USUAL.coordinate), longitude];
    modules.draft.setMovement(
      reader.i32LE() / 100,
      reader.u8() * USUAL.speed,
      ninePlaces(reader.u16LE() * USUAL.course),
    );
  },
  7: (reader, modules) => {
    reader.skip(1);
    modules.time = readTime(reader, () => 2000 + reader.u8());
  },
};

/** Modular extended (11). A place without a time is not a fix. Undefined if it has no module that is known. */
function readModular(reader: Reader): Draft | undefined {
  const modules: Modules = { draft: new Draft() };
  reader.skip(1 + 2 + 2 + 2);
  while (reader.remaining > 3) {
    const id = reader.u8();
    const length = reader.u16LE();
    const content = reader.slice(Math.min(length, reader.remaining));
    try {
      MODULES[id]?.(content, modules);
    } catch (error) {
      if (!(error instanceof CodecError)) throw error;
    }
  }
  const { draft, time, place } = modules;
  draft.deviceTime = time;
  if (time !== undefined && place !== undefined) draft.setFix(time, false, ...place);
  else if (place !== undefined) [draft.attributes['rawLatitude'], draft.attributes['rawLongitude']] = place;
  return draft.isEmpty ? undefined : draft;
}

const ZEROS = new Uint8Array(11);

/** The acknowledgement has a form of its own for modular messages. */
function acknowledge(bytes: Uint8Array, type: number): readonly Reply[] {
  const numerator = bytes[type === SERIAL ? 9 : 11]!;
  const id = bytes.subarray(5, 9);
  const writer = new Writer(28).latin1('MCGP');
  if (type === MODULAR) {
    writer.u8(0x0b).raw(id).u8(numerator).u32(0).u8(0x80).u16LE(10).u32(0).u8(9).u16LE(3).u8(0).u16(0);
  } else {
    writer.u8(0x04).raw(id).u8(0).u32(0).u8(0).u8(numerator).raw(ZEROS);
  }
  return [storedReply(writer.u8(sum8(writer.finish(), 4)).finish())];
}

/** Communication control and numerator follow the unit's id. */
export function decode(bytes: Uint8Array, { state }: DecodeContext<State>): Decoded<State> {
  const reader = new Reader(bytes, 4);
  const type = reader.u8();
  const messages: Message[] = [{ type: 'login', ids: [String(reader.u32LE())] }];
  reader.skip(3);
  let draft: Draft | undefined;
  if (type === STATUS) draft = readStatus(reader, isAlternative(bytes));
  else if (type === MODULAR) draft = readModular(new Reader(bytes, reader.offset, bytes.length - 1));
  if (draft !== undefined) messages.push(draft.toPosition());
  else messages.push({ type: 'heartbeat' });
  return { state, messages, replies: acknowledge(bytes, type) };
}

export const acknowledgeUndecoded = (bytes: Uint8Array): readonly Reply[] =>
  bytes.length < 12 ? [] : acknowledge(bytes, bytes[4]!);
