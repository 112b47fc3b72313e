import { CodecError, Draft, type Reader, toHex } from '#codec';

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
  44: 'geofenceEnter',
  45: 'geofenceExit',
};

const readTime = (reader: Reader): number => (EPOCH + reader.u32LE()) * 1000;

function readFix(reader: Reader, draft: Draft): void {
  const time = readTime(reader);
  const latitude = reader.i32LE() / 10_000_000;
  const longitude = reader.i32LE() / 10_000_000;
  draft.setFix(time, false, latitude, longitude);
  const altitude = reader.i16LE();
  const speed = reader.u16LE() * 0.036;
  reader.skip(1);
  draft.setMovement(altitude, speed, reader.u8() * 2);
  draft.attributes['pdop'] = reader.u8() / 10;
  const accuracy = reader.u8();
  if (accuracy > 0) draft.accuracy = accuracy;
  draft.valid = reader.u8() !== 0;
}

const BATTERY_GOOD = 0x02;
const TAMPERED = 0x40;

function readInputs(reader: Reader, draft: Draft): void {
  const input = reader.i32LE();
  draft.attributes['input'] = input >>> 0;
  draft.attributes['ignition'] = (input & 1) !== 0;
  draft.attributes['output'] = reader.u16LE();
  const status = reader.u16LE();
  draft.attributes['status'] = status;
  if (!(status & BATTERY_GOOD)) draft.addAlarm('lowBattery');
  else if (status & TAMPERED) draft.addAlarm('tampering');
}

/** Kind of an identification → its value. */
const DRIVERS: Readonly<Record<number, (reader: Reader) => string>> = {
  1: (reader) => toHex(reader.view(5)),
  2: (reader) => toHex(reader.view(6)),
  3: (reader) => reader.latin1(4),
  4: (reader) => reader.latin1(5),
  5: (reader) => reader.latin1(reader.remaining),
  6: (reader) => reader.latin1(reader.remaining),
  7: (reader) => toHex(reader.view(reader.remaining)),
};

/** Analogue values of 16 bits, by number. */
const ANALOGUE: Readonly<Record<number, { readonly key: string; readonly factor: number; readonly signed?: true }>> = {
  1: { key: 'battery', factor: 1 / 1000 },
  2: { key: 'power', factor: 1 / 100 },
  3: { key: 'deviceTemp', factor: 1 / 100, signed: true },
  4: { key: 'rssi', factor: 1 },
  5: { key: 'solarPower', factor: 1 / 1000 },
};

function readAnalogue(reader: Reader, { attributes }: Draft): void {
  while (reader.remaining >= 3) {
    const number = reader.u8();
    const raw = reader.u16LE();
    const row = ANALOGUE[number];
    if (row === undefined) attributes[`io${number}`] = raw;
    else attributes[row.key] = (row.signed ? (raw << 16) >> 16 : raw) * row.factor;
  }
}

const FIELDS: Readonly<Record<number, (reader: Reader, draft: Draft) => void>> = {
  0: readFix,
  2: readInputs,
  3: (reader, draft) => {
    const driver = DRIVERS[reader.u8()]?.(reader);
    if (driver !== undefined) draft.attributes['driverUniqueId'] = driver;
  },
  6: readAnalogue,
  26: (reader, { attributes }) => {
    attributes['tripOdometer'] = reader.u32LE();
    attributes['tripHours'] = reader.u32LE() * 1000;
  },
  27: (reader, { attributes }) => {
    attributes['odometer'] = reader.u32LE();
    attributes['hours'] = reader.u32LE() * 1000;
  },
};

const LONG = 255;

/** A record of fields (04): index, time, reason, then fields to its end. One that is cut off ends the record. */
export function readRecord(reader: Reader): Draft {
  const draft = new Draft({ index: reader.u32LE() });
  draft.deviceTime = readTime(reader);
  const reason = reader.u8();
  draft.attributes['event'] = reason;
  draft.addAlarm(ALARMS[reason]);
  try {
    readFields(reader, draft);
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
  }
  return draft;
}

function readFields(reader: Reader, draft: Draft): void {
  while (reader.remaining >= 2) {
    const id = reader.u8();
    let length = reader.u8();
    // A length of two bytes counts itself.
    if (length === LONG) length = Math.max(0, reader.u16LE() - 2);
    const content = reader.slice(length);
    FIELDS[id]?.(content, draft);
  }
}

export const FIXED_BYTES = 64;

/** A record of 64 bytes (10). */
export function readFixed(reader: Reader): Draft {
  reader.skip(1);
  const draft = new Draft({ index: reader.u32LE() });
  const { attributes } = draft;
  const t = reader.u32LE();
  const time = Date.UTC(
    2000 + (t & 0x3f),
    ((t >>> 6) & 0x0f) - 1,
    (t >>> 10) & 0x1f,
    (t >>> 15) & 0x1f,
    (t >>> 20) & 0x3f,
    t >>> 26,
  );
  const longitude = reader.i32LE() / 10_000_000;
  const latitude = reader.i32LE() / 10_000_000;
  const speed = reader.u16LE() * 0.036;
  const course = reader.u8() * 2;
  draft.setMovement(reader.i16LE(), speed, course);
  reader.skip(3);
  attributes['event'] = reader.u8();
  draft.setFix(time, (reader.u8() & 1) !== 0, latitude, longitude);
  attributes['input'] = reader.u32LE();
  attributes['output'] = reader.u16LE();
  for (let n = 1; n <= 5; n++) attributes[`adc${n}`] = reader.i16LE();
  attributes['deviceTemp'] = reader.i8();
  reader.skip(6 + 8);
  attributes['pdop'] = reader.u16LE() / 100;
  reader.skip(4);
  return draft;
}
