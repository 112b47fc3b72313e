import {
  type Attributes,
  addAlarm,
  CodecError,
  calendarReader,
  Draft,
  fixFlags,
  ninePlaces,
  type Reader,
} from '#codec';
import { ALARMS, IGNITION_OFF, IGNITION_ON, PID_BYTES, PID_KEYS } from './elements.ts';

const CENTIMETRES_KMH = 0.036;
const FLAGS = fixFlags({ valid: 0x0c, north: 2, east: 1 });
const readTime = calendarReader('dMyHms');
const UNIT = 3_600_000;

/** Day, month, year, time, place in thousandths of a second of arc, cm/s, tenths of a degree, flags: 19 bytes. */
export function readPosition(reader: Reader): Draft {
  const draft = new Draft();
  const time = readTime(reader);
  const latitude = ninePlaces(reader.u32LE() / UNIT);
  const longitude = ninePlaces(reader.u32LE() / UNIT);
  const speed = reader.u16LE() * CENTIMETRES_KMH;
  draft.setMovement(undefined, speed, reader.u16LE() / 10);
  const flags = reader.u8();
  draft.attributes['sat'] = flags >> 4;
  draft.setFix(time, FLAGS.isValid(flags), FLAGS.latitude(flags, latitude), FLAGS.longitude(flags, longitude));
  return draft;
}

/** Distances in m, fuel, and the bits of the state. */
interface Stat {
  readonly odometer: number;
  readonly tripOdometer: number;
  readonly fuelConsumption: number;
  readonly status: number;
}

/** ACC-on time, time, distances, fuel, state: 34 bytes. */
export function readStat(reader: Reader): Stat {
  reader.skip(8);
  const odometer = reader.u32LE();
  const tripOdometer = reader.u32LE();
  const fuelConsumption = reader.u32LE();
  reader.skip(2);
  const status = reader.u32LE();
  reader.skip(8);
  return { odometer, tripOdometer, fuelConsumption, status };
}

export function setStat(attributes: Attributes, { odometer, tripOdometer, fuelConsumption, status }: Stat): void {
  attributes['odometer'] = odometer;
  attributes['tripOdometer'] = tripOdometer;
  attributes['fuelConsumption'] = fuelConsumption;
  attributes['status'] = status;
}

const IGNITION = 1 << 18;
const STATE_ALARMS: readonly (readonly [bit: number, alarm: string])[] = [
  [1 << 4, 'hardAcceleration'],
  [1 << 5, 'hardBraking'],
  [1 << 6, 'idle'],
];

/** The same block in messages without a place: ignition and alarms of the state, too. */
export function readState(reader: Reader): Draft {
  const draft = new Draft();
  const stat = readStat(reader);
  setStat(draft.attributes, stat);
  const state = stat.status;
  draft.attributes['ignition'] = (state & IGNITION) !== 0;
  for (const [bit, alarm] of STATE_ALARMS) if (state & bit) draft.addAlarm(alarm);
  return draft;
}

/** Two of the codes report the ignition. */
export function applyAlarm(code: number, { attributes }: Draft): void {
  if (code === IGNITION_ON || code === IGNITION_OFF) attributes['ignition'] = code === IGNITION_ON;
  else addAlarm(attributes, ALARMS[code]);
}

/** Ids of the values, then (with groups) how many of them follow, then the first group of values. */
export function readObd(reader: Reader, { attributes }: Draft, hasGroups: boolean): void {
  const pids: number[] = [];
  for (let count = reader.u8(); count > 0; count--) pids.push(reader.u16LE() & 0xff);
  if (hasGroups) reader.skip(2);
  for (const pid of pids) {
    const size = PID_BYTES.get(pid);
    // Where a value ends is not known, so neither is where the others begin.
    if (size === undefined) throw new CodecError('bad-value', `OBD value ${pid} of unknown size`, reader.offset);
    const value = size === 1 ? reader.u8() : size === 2 ? reader.u16LE() : reader.u32LE();
    const key = PID_KEYS.get(pid);
    if (key !== undefined) attributes[key] = value;
  }
}

const SYSTEMS = 'PCBU';

/** `P0326`: the system in the upper two bits. */
export function troubleCode(code: number): string {
  const digits = (code & 0x3fff).toString(16).toUpperCase().padStart(4, '0');
  return SYSTEMS[code >> 14]! + digits;
}

/** Trouble codes, each followed by `extra` bytes. */
export function readTroubleCodes(reader: Reader, { attributes }: Draft, extra: number): void {
  const codes: string[] = [];
  for (let count = reader.u8(); count > 0; count--) {
    codes.push(troubleCode(reader.u16LE()));
    reader.skip(extra);
  }
  if (codes.length > 0) attributes['dtcs'] = codes.join(' ');
}
