import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type DeviceOptions,
  Draft,
  fromZigzag,
  type Message,
  numberedKey,
  Reader,
  type Reply,
  toHex,
  Writer,
} from '#codec';
import { seal } from './frame.ts';
import { type Content, type Group, readContent } from './groups.ts';

export type State = undefined;

const IDENTIFICATION = 0x80;
const WANT = 0x85;
const ARCHIVE = 0x86;
const CONFIRM = 0x87;
const TIME_REQUEST = 0x93;
const TIME = 0x94;
const CURRENT: ReadonlySet<number> = new Set([0x95, 0x9f]);

/** Seconds from 1970 to 2009-01-01, where the registrar's time begins. */
const EPOCH_S = 1_230_768_000;

const GENERAL = 2;
const NAVIGATION = 5;
const INPUTS = 6;
const LEVELS = 8;
const OTHER = 9;
const WANTED: ReadonlySet<number> = new Set([GENERAL, NAVIGATION, INPUTS, LEVELS, OTHER]);
/** LAT, LON, GPSVel, GPSDir, GPSNSat and GPSAlt are required; GPSTime is not. */
const REQUIRED = 6;

export function decode(bytes: Uint8Array, { state, now, options }: DecodeContext<State>): Decoded<State> {
  const reader = new Reader(bytes, 1);
  const command = reader.u8();
  const data = reader.slice(Math.min(reader.u16LE(), reader.remaining));
  if (command === IDENTIFICATION) {
    const ids = [String(data.u32LE())] as const;
    return { state, messages: [{ type: 'login', ids }], replies: [answer(WANT, 0)] };
  }
  if (command === ARCHIVE || CURRENT.has(command)) {
    const { messages, last } = readArchive(data, options);
    return { state, messages, replies: [answer(CONFIRM, last)] };
  }
  if (command === TIME_REQUEST) {
    const seconds = Math.floor(now / 1000) - EPOCH_S;
    return { state, messages: [], replies: [{ ...answer(TIME, Math.max(seconds, 0)), when: 'received' }] };
  }
  return { state, messages: [{ type: 'heartbeat' }], replies: [] };
}

const answer = (command: number, value: number): Reply => ({
  when: 'stored',
  bytes: seal(command, new Writer(4).u32LE(value).finish()),
});

/** Record number of the first message, its time, priority; then messages, each with its length. */
function readArchive(reader: Reader, options: DeviceOptions): { messages: Message[]; last: number } {
  const messages: Message[] = [];
  let number = reader.u32LE();
  let time = timeOf(reader.u32LE());
  reader.skip(1);
  let last = number;
  while (reader.remaining >= 2) {
    last = number++;
    const record = reader.slice(Math.min(reader.u16LE(), reader.remaining));
    try {
      const content = readContent(record, WANTED);
      const { groups } = content;
      time = timeOf(groups.get(GENERAL)?.numbers[1]) ?? time;
      const draft = readRecord(content, time, options);
      if (!draft.isEmpty) messages.push(draft.toPosition());
    } catch (error) {
      // One odd record does not hold up the others.
      if (!(error instanceof CodecError)) throw error;
    }
  }
  return { messages, last };
}

/** Epoch ms; undefined if a registrar sends no time, or 0 before it knows one. */
const timeOf = (seconds: number | undefined): number | undefined => (seconds ? (seconds + EPOCH_S) * 1000 : undefined);

/** A record that was made at `time`; what holds nothing but events and logs stays empty. */
function readRecord({ groups, events }: Content, time: number | undefined, options: DeviceOptions): Draft {
  const draft = new Draft();
  readGeneral(groups.get(GENERAL), draft, options);
  readNavigation(groups.get(NAVIGATION)?.numbers, draft, time);
  readSigned(groups.get(INPUTS)?.numbers, INPUT, MAX_INPUTS, draft);
  readLevels(groups.get(LEVELS)?.numbers, draft);
  readSigned(groups.get(OTHER)?.inner?.numbers, TEMPERATURE, MAX_TEMPERATURES, draft, NO_TEMPERATURE);
  if (!draft.isEmpty && events.length > 0) draft.attributes['event'] = events.length === 1 ? events[0]! : events.join();
  if (!draft.isEmpty) draft.deviceTime = time;
  return draft;
}

/** Bits of FLG that are alarms. */
const ALARMS: readonly (readonly [bit: number, alarm: string])[] = [
  [5, 'sos'],
  [6, 'tampering'],
  [9, 'jamming'],
];

const tenths = (value: number | undefined): number | undefined => (value === undefined ? undefined : value / 10);

function readGeneral(general: Group | undefined, draft: Draft, options: DeviceOptions): void {
  if (general === undefined) return;
  const { numbers, bytes } = general;
  const set = (key: string, value: number | undefined): void => {
    if (value !== undefined) draft.attributes[key] = value;
  };
  const isFirst = options['firstGeneration'] === true;
  // Profi, Optim and Lite count metres and km/h, those of the second generation a tenth of them.
  set('odometer', isFirst ? numbers[5] : tenths(numbers[5]));
  set('sensorSpeed', isFirst ? numbers[6] : tenths(numbers[6]));
  set('power', tenths(numbers[8]));
  set('batteryLevel', numbers[9]);
  set('rpm', numbers[7]);
  // The root of the sum of the squares of three axes, in hundredths of g.
  set('acceleration', numbers[10] === undefined ? undefined : fromZigzag(numbers[10]) / 100);
  const flags = numbers[4];
  if (flags !== undefined) {
    draft.attributes['ignition'] = (flags & 1) !== 0;
    for (const [bit, alarm] of ALARMS) if (flags & (1 << bit)) draft.addAlarm(alarm);
  }
  // All zero: no key is attached.
  if (bytes?.some((byte) => byte !== 0)) draft.attributes['driverUniqueId'] = toHex(bytes).toUpperCase();
}

/** A place without a time is kept as attributes of a record, as `rawLatitude` and `rawLongitude`. */
function readNavigation(navigation: Group['numbers'] | undefined, draft: Draft, recordTime: number | undefined): void {
  if (navigation === undefined) return;
  for (let field = 1; field <= REQUIRED; field++)
    if (navigation[field] === undefined) throw new CodecError('truncated', `field ${field} of the place is absent`);
  const value = (field: number): number => navigation[field] ?? 0;
  draft.attributes['sat'] = value(5);
  const [latitude, longitude] = [fromZigzag(value(1)) / 1e7, fromZigzag(value(2)) / 1e7];
  const time = timeOf(navigation[7]) ?? recordTime;
  if (time === undefined) {
    draft.attributes['rawLatitude'] = latitude;
    draft.attributes['rawLongitude'] = longitude;
    return;
  }
  draft.setMovement(fromZigzag(value(6)) / 10, value(3) / 10, value(4));
  // Before its first fix a registrar sends zeros.
  const valid = latitude !== 0 || longitude !== 0;
  draft.setFix(time, valid, latitude, longitude);
}

const MAX_INPUTS = 6;
const INPUT = numberedKey('adc#');
const MAX_TEMPERATURES = 8;
const TEMPERATURE = numberedKey('temp#');

/** of one byte: no sensor */
const NO_TEMPERATURE = -128;

/** Signed values by their number: universal inputs, and temperatures of 1-Wire sensors in °C. */
function readSigned(
  numbers: Group['numbers'] | undefined,
  keyOf: (number: number) => string,
  most: number,
  { attributes }: Draft,
  none?: number,
): void {
  for (let number = 1; number <= most; number++) {
    const value = numbers?.[number];
    if (value === undefined || fromZigzag(value) === none) continue;
    attributes[keyOf(number)] = fromZigzag(value);
  }
}

const MAX_LEVELS = 8;
const LEVEL = numberedKey('fuel#');
const LEVEL_TEMPERATURE = numberedKey('fuel#Temp');
const LEVEL_STATE = numberedKey('fuel#State');

/** Temperature, level and state of each fuel sensor. */
function readLevels(levels: Group['numbers'] | undefined, { attributes }: Draft): void {
  if (levels === undefined) return;
  for (let sensor = 1; sensor <= MAX_LEVELS; sensor++) {
    const temperature = levels[3 * sensor - 2];
    const level = levels[3 * sensor - 1];
    const state = levels[3 * sensor];
    if (temperature !== undefined) attributes[LEVEL_TEMPERATURE(sensor)] = fromZigzag(temperature);
    if (level !== undefined) attributes[LEVEL(sensor)] = level;
    if (state !== undefined) attributes[LEVEL_STATE(sensor)] = fromZigzag(state);
  }
}
