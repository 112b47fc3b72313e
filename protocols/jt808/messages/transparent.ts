import type { Position } from '#codec';
import { asFarAsItGoes } from '../items/item.ts';
import { readBusReadings, readObdText } from '../items/obd.ts';
import { positionOf, readFix, readStatus } from '../location.ts';
import { createReport, outdated, type Report } from '../report.ts';
import { readTime, trimmed } from '../values.ts';
import { acknowledge, type Handle, type Incoming, left } from './incoming.ts';

type Read = (incoming: Incoming) => Position | undefined;

/** 40: text of a driver's card reader or of anything else, to the frame's last byte. */
const readText: Read = ({ r }) => {
  const text = r.latin1(r.remaining).replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
  if (text === '') return undefined;
  const report = createReport();
  const driver = text.startsWith('GTSL') ? text.split('|', 5)[4] : undefined;
  if (!text.startsWith('GTSL')) report.attributes['data'] = text;
  else if (driver !== undefined) report.attributes['driverUniqueId'] = driver;
  return outdated(report);
};

/** 41: engine data as text. */
const readEngineText: Read = (incoming) => {
  const report = createReport();
  readObdText(incoming.r.latin1(left(incoming)), report);
  return outdated(report);
};

/** F3: collision and its time. */
const readCollision: Read = (incoming) => {
  const { r, dialect } = incoming;
  const report = createReport();
  let time: number | undefined;
  asFarAsItGoes(() => {
    while (r.remaining > 4) {
      const id = r.u16();
      const next = r.u16() + r.offset;
      if (id === 0x0002) report.attributes['collision'] = r.u16() / 25_600;
      else if (id === 0x0006) time = readTime(r, dialect.zone);
      r.offset = next;
    }
  });
  return outdated(report, time);
};

/** FF: a plain fix with signed coordinates. */
const readPlainFix: Read = ({ r, dialect }) => {
  const time = readTime(r, dialect.zone);
  const latitude = r.i32() / 1e6;
  const longitude = r.i32() / 1e6;
  const altitude = r.i16();
  const speed = r.u16() / 10;
  return positionOf({ time, valid: true, latitude, longitude, altitude, speed, course: r.u16() }, createReport());
};

/** 53: Bluetooth tags with their data. */
const readTags: Read = (incoming) => {
  const { r, dialect } = incoming;
  const report = createReport();
  const fix = readFix(r, report, dialect);
  asFarAsItGoes(() => {
    r.skip(1);
    while (left(incoming) > 0) {
      const tag = `tag${r.u8() + 1}`;
      report.attributes[`${tag}Mac`] = r.hex(6);
      report.attributes[`${tag}Rssi`] = r.i8();
      report.attributes[`${tag}Data`] = r.hex(r.u8());
    }
  });
  return positionOf(fix, report);
};

/** 54: logged sensors. */
const readSensors: Read = (incoming) => {
  const { r, dialect } = incoming;
  const report = createReport();
  const fix = readFix(r, report, dialect);
  asFarAsItGoes(() => {
    while (left(incoming) > 0) readSensorGroup(incoming, report);
  });
  return positionOf(fix, report);
};

function readSensorGroup({ r }: Incoming, { attributes }: Report): void {
  const mask = r.u16();
  r.skip(6);
  if ((mask & 0x01) !== 0) attributes['lightSensor'] = r.u16();
  if ((mask & 0x02) !== 0) {
    attributes['deviceTemp'] = r.i16() / 10;
    attributes['humidity'] = r.i16() / 10;
  }
  if ((mask & 0x04) !== 0) attributes['temp3'] = r.i16() / 10;
  if ((mask & 0x08) !== 0) r.skip(6);
  if ((mask & 0x10) !== 0) attributes['airPressure'] = r.u16();
}

type ReadBus = (incoming: Incoming, report: Report) => void;

/** Trouble codes by system. */
const readTroubleCodes: ReadBus = ({ r }, { attributes }) => {
  const codes: string[] = [];
  for (let systems = r.u16(); systems > 0; systems--) {
    r.skip(4);
    for (let count = r.u16(); count > 0; count--) {
      r.skip(8);
      codes.push(trimmed(r.latin1(r.u16())));
    }
  }
  attributes['dtcs'] = codes.join(' ');
};

const BUS_ALARMS: Readonly<Record<number, string>> = {
  0x01: 'powerRestored',
  0x02: 'powerCut',
  0x0e: 'idle',
  0x1a: 'hardAcceleration',
  0x1b: 'hardBraking',
  0x1c: 'hardCornering',
  0x1d: 'laneChange',
  0x1e: 'laneChange',
  0x1f: 'laneChange',
  0x23: 'fatigueDriving',
  0x25: 'overspeed',
  0x26: 'accident',
  0x27: 'accident',
  0x28: 'accident',
  0x31: 'door',
  0x32: 'door',
};

const readBusAlarms: ReadBus = ({ r }, report) => {
  for (let count = r.u8(); count > 0; count--) {
    const alarm = BUS_ALARMS[r.u8()];
    r.skip(r.u8());
    if (alarm !== undefined) report.alarms.push(alarm);
  }
};

const TRIP_END = 2;

const readTrip: ReadBus = ({ r }, { attributes }) => {
  const property = r.u8();
  attributes['tripNumber'] = r.u32();
  r.skip(6);
  if (property !== TRIP_END) return;
  r.skip(23);
  attributes['idlingCount'] = r.u16();
  attributes['idlingTime'] = r.u16();
  attributes['tripOdometer'] = r.u16() * 100;
  attributes['tripFuel'] = r.u16() / 100;
};

const readVin: ReadBus = ({ r }, { attributes }) => {
  if (r.u8() > 0) attributes['vin'] = r.latin1(17);
};

const BEHAVIOURS: Readonly<Record<number, string>> = {
  51: 'hardAcceleration',
  52: 'hardBraking',
  53: 'hardCornering',
  54: 'laneChange',
  56: 'accident',
};

const readBehaviour: ReadBus = ({ r }, report) => {
  const event = r.i32();
  const alarm = BEHAVIOURS[event];
  if (alarm === undefined) report.attributes['event'] = event;
  else report.alarms.push(alarm);
};

const withStatus =
  (read: ReadBus): ReadBus =>
  (incoming, report) => {
    read(incoming, report);
    readStatus(incoming.r, report, incoming.dialect.model);
  };

/** Reports of the vehicle bus by kind. */
const BUS: Readonly<Record<number, ReadBus>> = {
  0x01: withStatus(({ r }, report) => readBusReadings(r, report)),
  0x02: withStatus(readTroubleCodes),
  0x03: withStatus(readBusAlarms),
  0x04: readTrip,
  0x0b: readVin,
  0x15: readBehaviour,
};

/** F0: what a reader of the vehicle bus has to say. */
const readBus: Read = (incoming) => {
  const { r, dialect } = incoming;
  const report = createReport();
  const time = readTime(r, dialect.zone);
  if (r.u8() > 0) report.attributes['archive'] = true;
  r.skip(1);
  const read = BUS[r.u8()];
  if (read === undefined) return undefined;
  asFarAsItGoes(() => read(incoming, report));
  return outdated(report, time);
};

const TYPES: Readonly<Record<number, Read>> = {
  0x40: readText,
  0x41: readEngineText,
  0x53: readTags,
  0x54: readSensors,
  0xf0: readBus,
  0xf3: readCollision,
  0xff: readPlainFix,
};

/** 0900: data of peripherals by type. */
export const transparent: Handle = (incoming) => {
  const position = TYPES[incoming.r.u8()]?.(incoming);
  if (position !== undefined) incoming.messages.push(position);
  acknowledge(incoming);
};
