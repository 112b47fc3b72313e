import { CodecError, Draft, type Position, type Reader, toHex, utcFromCalendar } from '#codec';
import {
  attr,
  type Field,
  fix,
  fixNumber,
  flagByMask,
  groups,
  hasAtLeast,
  i8,
  i16LE,
  i32LE,
  type Layout,
  layout,
  number,
  optionalTail,
  readPosition,
  setValid,
  skip,
  tags,
  u8,
  u16LE,
  u32LE,
  validIf,
  when,
} from '#codec/binary';

/** 2013-01-01T00:00:00Z */
export const EPOCH = 1_356_998_400;

/** Log reasons that are alarms. */
const ALARMS: Readonly<Record<number, string>> = {
  12: 'hardBraking',
  13: 'hardAcceleration',
  14: 'hardCornering',
  18: 'overspeed',
  20: 'tow',
  23: 'accident',
  29: 'tampering',
  41: 'sos', // of a lone worker
  44: 'geofenceEnter',
  45: 'geofenceExit',
  48: 'sos', // duress
};
const EXTERNAL_POWER = 15;

/** Zero is a clock that was never set. */
function readTime(reader: Reader): number | undefined {
  const seconds = reader.u32LE();
  return seconds === 0 ? undefined : (EPOCH + seconds) * 1000;
}

const SPEED = fixNumber('speed', { factor: 0.036 });
const COURSE = fixNumber('course', { factor: 2 });
const DEGREES = 10_000_000;

/** The fix has a time of its own; without one there was none. */
const fixTime: Field = ({ reader, into }) => {
  into.fixTime = readTime(reader);
  into.hasFix = into.fixTime !== undefined;
};

const [VALID, FAILED] = [0x01, 0x04];

/** Without a whole place there is no fix. What a search has not found is the last place. */
const FIX = when(hasAtLeast(12), [
  fixTime,
  setValid(false),
  fix.coordinates('i32LE', DEGREES),
  fix.altitude('i16LE'),
  number('u16LE', SPEED),
  skip(1),
  number('u8', COURSE),
  u8('pdop', { divisor: 10 }),
  number('u8', (raw, { into }) => {
    if (raw > 0) into.accuracy = raw;
  }),
  number('u8', (flags, { into }) => {
    into.valid = (flags & (VALID | FAILED)) === VALID;
  }),
]);

/** Bits of the status. Source: Digital Matter, Telematics Guru Telemetry. */
const [BATTERY_GOOD, POWER_GOOD, TAMPERED] = [0x02, 0x04, 0x40];

/** The battery of models whose cells are changed has no bit: it is never set. */
const statusOf = (hasBatteryBit: boolean): Field =>
  number('u16LE', attr('status'), (status, { into }) => {
    if (hasBatteryBit && !(status & BATTERY_GOOD)) into.addAlarm('lowBattery');
    if (status & TAMPERED) into.addAlarm('tampering');
    if (into.attributes['event'] === EXTERNAL_POWER) into.addAlarm(status & POWER_GOOD ? 'powerRestored' : 'powerCut');
  });

const LINES = [number('u32LE', attr('input'), flagByMask(0x01, 'ignition')), u16LE('output')];

/** Kind of an identification → its value. */
const DRIVERS: Readonly<Record<number, (reader: Reader) => string>> = {
  1: (reader) => toHex(reader.view(5)),
  2: (reader) => toHex(reader.view(6)),
  3: (reader) => reader.latin1(4),
  4: (reader) => reader.latin1(5),
  5: (reader) => reader.latin1(),
  6: (reader) => reader.latin1(),
  7: (reader) => toHex(reader.view(reader.remaining)),
};

/** Analogue values of 16 bits, by number. */
const ANALOGUE = optionalTail(
  tags({
    id: 'u8',
    table: {
      1: u16LE('battery', { divisor: 1000 }),
      2: u16LE('power', { divisor: 100 }),
      3: i16LE('deviceTemp', { divisor: 100 }),
      4: u16LE('rssi'),
      5: u16LE('solarPower', { divisor: 1000 }),
    },
    other: i16LE('io#'),
  }),
);
/** The same of 32 bits. */
const WIDE_ANALOGUE = optionalTail(tags({ id: 'u8', table: {}, other: i32LE('io#') }));

const DRIVER: Field = ({ reader, into }) => {
  const driver = DRIVERS[reader.u8()]?.(reader);
  if (driver !== undefined) into.attributes['driverUniqueId'] = driver;
};

const FIELDS: Readonly<Record<number, Layout>> = {
  0: layout(FIX),
  2: layout([...LINES, statusOf(true)]),
  3: layout(DRIVER),
  6: layout(ANALOGUE),
  7: layout(WIDE_ANALOGUE),
  26: layout([u32LE('tripOdometer'), u32LE('tripHours', { factor: 1000 })]),
  27: layout([u32LE('odometer'), u32LE('hours', { factor: 1000 })]),
};

/** of a Yabby3, whose record of lines says so of a full battery too */
const WITHOUT_BATTERY_BIT: typeof FIELDS = { ...FIELDS, 2: layout([...LINES, statusOf(false)]) };
const YABBY3 = 97;

const LONG = 255;

/** A record of fields (04): index, time, reason, then fields to its end. One that is cut off ends the record. */
export function readRecord(reader: Reader, product: number | undefined): Draft {
  const draft = new Draft({ index: reader.u32LE() });
  draft.deviceTime = readTime(reader);
  const reason = reader.u8();
  draft.attributes['event'] = reason;
  draft.addAlarm(ALARMS[reason]);
  try {
    readFields(reader, draft, product === YABBY3 ? WITHOUT_BATTERY_BIT : FIELDS);
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
  }
  return draft;
}

function readFields(reader: Reader, draft: Draft, fields: typeof FIELDS): void {
  while (reader.remaining >= 2) {
    const id = reader.u8();
    let length = reader.u8();
    // A length of two bytes counts itself.
    if (length === LONG) length = Math.max(0, reader.u16LE() - 2);
    const content = reader.slice(length);
    fields[id]?.(content, draft);
  }
}

export const FIXED_BYTES = 64;

/** A time in bits: year, month, day, hour, minute, second, from the lowest on. */
const packedTime: Field = ({ reader, into }) => {
  const t = reader.u32LE();
  const [year, month, day] = [2000 + (t & 0x3f), (t >>> 6) & 0x0f, (t >>> 10) & 0x1f];
  into.fixTime = utcFromCalendar(year, month, day, (t >>> 15) & 0x1f, (t >>> 20) & 0x3f, t >>> 26);
  into.deviceTime = into.fixTime;
  into.hasFix = true;
};

/** A record of 64 bytes (10). */
const FIXED = layout([
  skip(1),
  u32LE('index'),
  packedTime,
  fix.longitude('i32LE', { divisor: DEGREES }),
  fix.latitude('i32LE', { divisor: DEGREES }),
  number('u16LE', SPEED),
  number('u8', COURSE),
  fix.altitude('i16LE'),
  skip(3),
  u8('event'),
  number('u8', validIf(1)),
  u32LE('input'),
  u16LE('output'),
  groups(i16LE('adc#'), { count: 5 }),
  i8('deviceTemp'),
  skip(6 + 8),
  u16LE('pdop', { divisor: 100 }),
  skip(4),
]);

export const readFixed = (reader: Reader): Position => readPosition(FIXED, reader);
