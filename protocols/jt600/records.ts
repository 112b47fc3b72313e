import { Draft, KNOT_KMH, type Position, Reader, readBcdLatitude, readBcdLongitude, readOptional } from '#codec';
import { alarmsByMask, attr, flagByMask, layout, number, readBcdTimeByDay, skip, u8, u32 } from '#codec/binary';

const [VALID, NORTH, EAST] = [1, 2, 4];
/** smallest record: time, place, speed and course */
const PLACE_BYTES = 17;

function readPlace(reader: Reader, draft: Draft): void {
  const time = readBcdTimeByDay(reader, 'UTC');
  const latitude = readBcdLatitude(reader);
  const { degrees, flags } = readBcdLongitude(reader);
  const [speed, course] = [reader.u8() * KNOT_KMH, reader.u8() * 2];
  const isValid = (flags & VALID) !== 0;
  // a receiver that has not found a place yet sends zeros
  if (!isValid && latitude === 0 && degrees === 0) return;
  draft.setFix(
    time,
    isValid,
    (flags & NORTH) === 0 ? 0 - latitude : latitude,
    (flags & EAST) === 0 ? 0 - degrees : degrees,
  );
  draft.setMovement(undefined, speed, course);
}

const [BY_CELLS, NEEDS_REPLY, LOCKED] = [0x01, 0x20, 0x80];
const CHARGING = 0xff;
/** Kind of a message: made where there was no network. */
const STORED = 3;
/** Bits of the status of a lock, in the order of Jointech's library for the JT701. */
const LOCK_ALARMS = alarmsByMask([
  [0x02, 'geofenceEnter'],
  [0x04, 'geofenceExit'],
  // the rope is cut, wrong password five times, a card that is not allowed, an open cover
  [0x1608, 'tampering'],
  [0x10, 'vibration'],
  // open for long
  [0x100, 'unlock'],
  [0x0800, 'lowBattery'],
  [0x4000, 'fault'],
]);
const LOCK = layout([
  u32('odometer', { factor: 1000 }),
  u8('sat'),
  skip(4),
  number('u16', attr('status'), LOCK_ALARMS, flagByMask(LOCKED, 'blocked')),
]);
/** area of the alarm, source of waking, two bytes, IMEI */
const BEFORE_OPERATOR = 12;

/** A message of a lock. What follows the strength of the cell has come with later versions. */
export function readLong(reader: Reader, kind: number, index: number): { position: Position; needsReply: boolean } {
  const draft = new Draft();
  if (kind === STORED) draft.attributes['archive'] = true;
  readPlace(reader, draft);
  readOptional(() => {
    LOCK(reader, draft);
    const battery = reader.u8();
    if (battery === CHARGING) draft.attributes['charge'] = true;
    else draft.attributes['batteryLevel'] = battery;
    const [low, lac, strength] = [reader.u16(), reader.u16(), reader.u8()];
    let [high, mcc, mnc] = [0, 0, 0];
    readOptional(() => {
      reader.skip(BEFORE_OPERATOR);
      [high, mcc, mnc] = [reader.u16(), reader.u16(), reader.u8()];
    });
    draft.addCell({ mcc, mnc, lac, cid: high * 0x1_0000 + low, rssi: 0 - strength });
  });
  draft.attributes['index'] = index;
  const status = Number(draft.attributes['status'] ?? 0);
  if (draft.hasFix && (status & BY_CELLS) !== 0) draft.attributes['approximate'] = true;
  return { position: draft.toPosition(), needsReply: (status & NEEDS_REPLY) !== 0 };
}

const IS_ON = 0x01;

function readCells(draft: Draft, reader: Reader): void {
  const { attributes } = draft;
  attributes['sat'] = reader.u8();
  attributes['power'] = reader.u8();
  reader.skip(1);
  draft.altitude = reader.u16();
  const [cid, lac, strength] = [reader.u16(), reader.u16(), reader.u8()];
  if (cid !== 0 && lac !== 0) draft.addCell({ mcc: 0, mnc: 0, lac, cid, rssi: 0 - strength });
  else attributes['rssi'] = strength;
}

const VEHICLE = layout([
  number('u8', flagByMask(0x01, 'ignition'), flagByMask(0x40, 'door')),
  number(
    'u8',
    flagByMask(0x01, 'charge'),
    flagByMask(0x02, 'blocked'),
    alarmsByMask([
      [0x04, 'sos'],
      [0x18, 'gpsAntennaCut'],
      [0x10, 'overspeed'],
    ]),
  ),
  number(
    'u8',
    alarmsByMask([
      [0x04, 'fatigueDriving'],
      [0x08, 'tow'],
    ]),
  ),
  skip(1),
  u32('odometer', { factor: 1000 }),
]);

/** Three sensors of fuel and the odometer lie across the bytes. */
function readTanks({ attributes }: Draft, reader: Reader): void {
  const [first, second, last] = [reader.u24(), reader.u24(), reader.u8()];
  attributes['fuel1'] = first >> 12;
  attributes['fuel2'] = first & 0xfff;
  attributes['fuel3'] = second >> 12;
  attributes['odometer'] = ((second & 0xfff) * 256 + last) * 1000;
  const status = reader.u24();
  attributes['status'] = status;
  attributes['ignition'] = (status & IS_ON) !== 0;
}

/** Records of a vehicle, by version. */
export function readShort(reader: Reader, version: number): Position[] {
  const positions: Position[] = [];
  while (reader.remaining >= PLACE_BYTES) {
    const draft = new Draft();
    readPlace(reader, draft);
    readOptional(() => {
      if (version === 1) readCells(draft, reader);
      else if (version === 3) readTanks(draft, reader);
      else if (version === 2) {
        const high = reader.u8();
        VEHICLE(reader, draft);
        draft.attributes['fuel'] = high * 256 + reader.u8();
      }
    });
    positions.push(draft.toPosition());
  }
  return positions;
}

const [NO_VALUE, SIZE, BELOW_ZERO] = [0xffff, 0x0fff, 0xf000];
const CLIMATE = 1;
const LOCKS: readonly number[] = [4, 5, 6];
const SENSOR_TIME_BYTES = 6;

/** In the text of a message `=` and a byte stand for `(`, `)`, `,` and `=`: the second byte says which differs from `=`. */
function unescapeText(bytes: Uint8Array): Uint8Array {
  const content: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const isEscape = bytes[at] === 0x3d && [0x00, 0x11, 0x14, 0x15].includes(bytes[at + 1] ?? -1);
    content.push(isEscape ? 0x3d ^ bytes[++at]! : bytes[at]!);
  }
  return Uint8Array.from(content);
}

function readSensorValues({ attributes }: Draft, reader: Reader): void {
  const type = reader.u8();
  attributes['sensorType'] = type;
  if (type === CLIMATE) {
    const raw = reader.u16();
    const tenths = (raw & SIZE!) / 10;
    if (raw !== NO_VALUE) attributes['temp1'] = (raw & BELOW_ZERO!) === 0 ? tenths : 0 - tenths;
    attributes['humidity'] = reader.u8();
  } else if (LOCKS.includes(type)) {
    attributes['sensorEvent'] = reader.u16();
    attributes['sensorStatus'] = reader.u16();
    attributes['lockCount'] = reader.u16();
  }
}

/** A message of a sensor that the device hands on (WLNET 5), from the byte `at` of the frame. */
export function readSensor(frame: Uint8Array, at: number): { position: Position; index: number } {
  const reader = new Reader(unescapeText(frame.subarray(at, -1)));
  const draft = new Draft();
  const { attributes } = draft;
  readPlace(reader, draft);
  reader.skip(SENSOR_TIME_BYTES);
  attributes['sensorId'] = reader.hex(5);
  const index = reader.u8();
  attributes['index'] = index;
  readOptional(() => {
    attributes['sensorBattery'] = reader.u16() / 100;
    attributes['sensorBatteryLevel'] = reader.u8();
    attributes['sensorRssi'] = 0 - reader.u8();
    readSensorValues(draft, reader);
  });
  return { position: draft.toPosition(), index };
}
