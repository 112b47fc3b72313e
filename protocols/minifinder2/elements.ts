import { Draft, type Reader, toHex } from '#codec';
import { setAlarms, setFurtherAlarms } from './alarms.ts';

/** A record that is being filled in; some elements report a position without a time. */
export class Record {
  readonly draft = new Draft();
  time: number | undefined = undefined;
  fixTime: number | undefined = undefined;
  place: readonly [latitude: number, longitude: number] | undefined = undefined;
  valid = false;

  setTime(seconds: number): void {
    this.time = seconds * 1000;
    this.fixTime = seconds * 1000;
  }

  /** i32 degrees × 10^7, twice. */
  readPlace(reader: Reader, valid: boolean): void {
    const latitude = reader.i32LE() / 1e7;
    this.place = [latitude, reader.i32LE() / 1e7];
    this.valid = valid;
  }
}

type Handler = (reader: Reader, record: Record) => void;

/** Lower-case hex, the last byte first. */
const reversedId = (reader: Reader): string => toHex(Uint8Array.from(reader.view(6)).reverse());

const text = (reader: Reader): string => reader.latin1();

function setText(record: Record, key: string, value: string): void {
  if (value !== '') record.draft.attributes[key] = value;
}

function readCells(wideMnc: boolean, wideCid: boolean): Handler {
  return (reader, { draft }) => {
    const mcc = reader.u16LE();
    const mnc = wideMnc ? reader.u16LE() : reader.u8();
    while (reader.remaining > 0) {
      // the sign is left out by some
      const rssi = 0 - Math.abs(reader.i8());
      const lac = reader.u16LE();
      draft.addCell({ mcc, mnc, lac, cid: wideCid ? reader.u32LE() : reader.u16LE(), rssi });
    }
  };
}

function readAccessPoints(hasNames: boolean): Handler {
  return (reader, { draft }) => {
    while (reader.remaining > 0) {
      const rssi = 0 - Math.abs(reader.i8());
      draft.addAccessPoint(reader.mac(), rssi);
      if (hasNames) reader.skip(reader.u8());
    }
  };
}

/** Id of the tag, place, and a text or precision and height. */
function readTag(readRest: Handler): Handler {
  return (reader, record) => {
    if (reader.remaining < 6) return;
    record.draft.attributes['tagId'] = reversedId(reader);
    if (reader.remaining < 8) return;
    record.readPlace(reader, true);
    readRest(reader, record);
  };
}

/** How far off the place may be, in metres or tenths of them, and the height. */
function readPrecision(divisor: number): Handler {
  return (reader, { draft }) => {
    draft.accuracy = reader.u16LE() / divisor;
    draft.altitude = reader.i16LE();
  };
}

const HAS_PLACE = 0x80;
const HAS_TEXT = 0x40;

/** A beacon, by its number. The newer form adds battery and temperature. */
function readBeacon(isNewer: boolean): Handler {
  return (reader, record) => {
    const { attributes } = record.draft;
    const flags = reader.u8();
    const number = (flags & 0x0f) + 1;
    attributes[`tagId${number}`] = reversedId(reader);
    attributes[`tagRssi${number}`] = reader.i8();
    attributes[`tag1mRssi${number}`] = reader.i8();
    if (isNewer) attributes[`tagBattery${number}`] = reader.u8();
    if (flags & HAS_PLACE) record.readPlace(reader, true);
    if (flags & HAS_TEXT) {
      setText(record, `description${number}`, isNewer ? reader.latin1(reader.u8()) : text(reader));
    }
    if (isNewer && reader.remaining > 0) attributes[`tagTemp${number}`] = reader.i16() / 10;
  };
}

const STATUS_FLAGS: readonly (readonly [bit: number, key: string])[] = [
  [0x10, 'charge'],
  [0x80, 'archive'],
];
const MOTION = 0x200;

const readStatus: Handler = (reader, record) => {
  const { attributes } = record.draft;
  record.setTime(reader.u32LE());
  const status = reader.u32LE();
  for (const [bit, key] of STATUS_FLAGS) if (status & bit) attributes[key] = true;
  attributes['motion'] = (status & MOTION) !== 0;
  attributes['rssi'] = (status >>> 19) & 0x1f;
  attributes['batteryLevel'] = status >>> 24;
  attributes['status'] = status;
};

const readFix: Handler = (reader, record) => {
  record.readPlace(reader, false);
  const speed = reader.u16LE();
  const course = reader.u16LE();
  record.draft.setMovement(reader.i16LE(), speed, course);
  const hdop = reader.u16LE();
  record.valid = hdop > 0;
  record.draft.attributes['hdop'] = hdop / 10;
  record.draft.attributes['odometer'] = reader.u32LE();
  record.draft.attributes['sat'] = reader.u8();
};

/** Of values with a time before each, the one of the latest; they are `bytes` apart. */
function latest(reader: Reader, bytes: number, read: (reader: Reader) => number): number {
  let value = 0;
  let latestTime = -1;
  do {
    const entry = reader.slice(Math.min(bytes, reader.remaining));
    const time = entry.u32LE();
    if (time <= latestTime) continue;
    latestTime = time;
    value = read(entry);
  } while (reader.remaining > 0);
  return value;
}

const STEP_BYTES = 8;
const VITAL_BYTES = 6;

/** Value and confidence; 0 and 1 are no values. */
function readVital(key: string): Handler {
  return (reader, { draft }) => {
    const value = latest(reader, VITAL_BYTES, (entry) => entry.u8());
    if (value > 1) draft.attributes[key] = value;
  };
}

const BATTERY_BYTES = 3;

/** Elements that may come again without beginning another record. */
export const REPEATED: ReadonlySet<number> = new Set([0x28, 0x2c]);

/** Key → what is read. Source: protocol document, data and services. */
export const ELEMENTS: ReadonlyMap<number, Handler> = new Map<number, Handler>([
  [
    0x02,
    (reader, record) => {
      setAlarms(reader.u32LE(), record.draft);
      if (reader.remaining >= 4) record.time = reader.u32LE() * 1000;
      if (reader.remaining >= 4) setFurtherAlarms(reader.u32LE(), record.draft);
    },
  ],
  [0x04, (reader, record) => setText(record, 'iccid', text(reader))],
  [
    0x14,
    (reader, { draft }) => {
      // of pets it is the times of a walk
      if (reader.remaining !== BATTERY_BYTES) return;
      draft.attributes['batteryLevel'] = reader.u8();
      draft.attributes['battery'] = reader.u16LE() / 1000;
    },
  ],
  [0x19, readAccessPoints(true)],
  [0x20, readFix],
  [0x21, readCells(false, false)],
  [0x22, readAccessPoints(false)],
  [0x23, readTag((reader, record) => setText(record, 'description', text(reader)))],
  [0x24, readStatus],
  [
    0x25,
    (reader, record) => {
      const { attributes } = record.draft;
      record.setTime(reader.u32LE());
      attributes['callStatus'] = reader.u8();
      attributes['callDuration'] = reader.u16LE();
      attributes['callResult'] = reader.u8();
      setText(record, 'phone', text(reader));
    },
  ],
  [0x26, readTag(readPrecision(10))],
  [
    0x27,
    (reader, record) => {
      record.readPlace(reader, true);
      readPrecision(1)(reader, record);
    },
  ],
  [0x28, readBeacon(false)],
  [0x29, readCells(false, true)],
  [
    0x2a,
    (reader, record) => {
      const flags = reader.u8();
      const mac = reversedId(reader).replace(/(..)(?=.)/g, '$1:');
      record.draft.addAccessPoint(mac, reader.i8());
      if (flags & HAS_PLACE) record.readPlace(reader, true);
      if (flags & HAS_TEXT) setText(record, 'description', text(reader));
    },
  ],
  [0x2b, readCells(true, true)],
  [0x2c, readBeacon(true)],
  [
    0x30,
    (reader, { draft }) => {
      draft.attributes['steps'] = latest(reader, STEP_BYTES, (entry) => entry.u32LE());
    },
  ],
  [
    0x31,
    (reader, { draft }) => {
      for (let number = 1; reader.remaining > 0; number++) {
        draft.attributes[`activity${number}Time`] = reader.u32LE();
        draft.attributes[`activity${number}`] = reader.u32LE();
      }
    },
  ],
  [
    0x37,
    (reader, { draft }) => {
      reader.skip(4);
      const barks = reader.u32LE();
      if (barks >>> 31) draft.attributes['barkStop'] = true;
      draft.attributes['barkCount'] = barks & 0x7fff_ffff;
    },
  ],
  [0x40, readVital('heartRate')],
  [0x41, readVital('spO2')],
]);
