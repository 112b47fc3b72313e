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
import { ALARMS, IGNITION_OFF, IGNITION_ON, MODULE_VOLTAGE, PID_BYTES, PID_KEYS } from './elements.ts';

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

/** The device's clock, distances in m, fuel in l, and the bits of the state. */
interface Stat {
  readonly time: number;
  readonly odometer: number;
  readonly tripOdometer: number;
  readonly fuelUsed: number;
  readonly tripFuelUsed: number;
  readonly status: number;
}

/** ACC-on time, time, distances, fuel, state: 34 bytes. */
export function readStat(reader: Reader): Stat {
  reader.skip(4);
  const time = reader.u32LE() * 1000;
  const odometer = reader.u32LE();
  const tripOdometer = reader.u32LE();
  const fuelUsed = reader.u32LE() / 100;
  const tripFuelUsed = reader.u16LE() / 100;
  const status = reader.u32LE();
  reader.skip(8);
  return { time, odometer, tripOdometer, fuelUsed, tripFuelUsed, status };
}

const IGNITION = 1 << 18;

export function setStat(attributes: Attributes, stat: Stat): void {
  attributes['odometer'] = stat.odometer;
  attributes['tripOdometer'] = stat.tripOdometer;
  attributes['fuelUsed'] = stat.fuelUsed;
  attributes['tripFuelUsed'] = stat.tripFuelUsed;
  attributes['status'] = stat.status;
}

/** By the state, where no alarm has said it. */
export function setIgnition(attributes: Attributes): void {
  const { status } = attributes;
  if (typeof status === 'number') attributes['ignition'] ??= (status & IGNITION) !== 0;
}

/** By bit, from the lowest. */
const STATE_ALARMS: readonly (string | undefined)[] = [
  'lowPower',
  'tow',
  'overspeed',
  'temperature',
  'hardAcceleration',
  'hardBraking',
  'idle',
  undefined,
  'highRpm',
  undefined,
  'laneChange',
  'hardCornering',
  'fatigueDriving',
  'sos',
  'accident',
  'tampering',
];

/** The same block in messages without a place: alarms of the state, too. */
export function readState(reader: Reader): Draft {
  return stateOf(readStat(reader));
}

export function stateOf(stat: Stat): Draft {
  const draft = new Draft();
  draft.deviceTime = stat.time;
  setStat(draft.attributes, stat);
  for (const [bit, alarm] of STATE_ALARMS.entries()) if ((stat.status >>> bit) & 1) draft.addAlarm(alarm);
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
    // A stored snapshot says nothing of the supply now.
    if (pid === MODULE_VOLTAGE && hasGroups) attributes['power'] = value / 1_000;
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
