import type { Reader } from '#codec';
import { addAlarms, asFarAsItGoes, type Item } from '../items/item.ts';
import { LOCK } from '../items/locks.ts';
import { positionOf } from '../location.ts';
import { createReport, type Report } from '../report.ts';
import { message } from '../wire.ts';
import type { Handle } from './incoming.ts';

const ANSWER_WANTED = 0x8000;
const NORTH = 0x02;
const EAST = 0x04;
const KMH_PER_KNOT = 1.852;

const LOCK_ALARMS = [[0x01, 'lowPower']] as const;
const SEAL_ALARMS = [
  [0x01, 'overspeed'],
  [0x02, 'lowPower'],
  [0x04, 'vibration'],
  [0x08, 'lowBattery'],
  [0x20, 'geofenceEnter'],
  [0x40, 'geofenceExit'],
] as const;

/** 5501 live and 5502 blind records of Jointech padlocks, in UTC. */
const padlock =
  (valid: boolean): Handle =>
  ({ r, header, terminal, messages, replies }) => {
    const report = createReport();
    const time = readTime(r);
    const { latitude, longitude } = readPlace(r);
    const speed = r.bcd() * KMH_PER_KNOT;
    const course = r.u8() * 2;
    readState(r, report);
    const altitude = readItems(r, report);
    messages.push(positionOf({ time, valid, latitude, longitude, altitude, speed, course }, report));
    if ((header.properties & ANSWER_WANTED) === 0) return;
    const body = Uint8Array.of(header.type >> 8, header.type, 0);
    replies.push({ when: 'stored', bytes: message(terminal, 0x4401, 1, body) });
  };

export const livePadlock = padlock(true);
export const blindPadlock = padlock(false);

/** Day first, unlike everywhere else. */
function readTime(r: Reader): number {
  const day = r.bcd();
  const month = r.bcd() - 1;
  const year = 2000 + r.bcd();
  const hour = r.bcd();
  const minute = r.bcd();
  return Date.UTC(year, month, day, hour, minute, r.bcd());
}

/** DDMMmmmm and DDDMMmmmm, flags in the last nibble. */
function readPlace(r: Reader): { latitude: number; longitude: number } {
  const degrees = r.bcd();
  const minutes = r.bcd() * 10_000 + r.bcd() * 100 + r.bcd();
  const latitude = degrees + minutes / 10_000 / 60;
  const b = r.view(5);
  const digit = (n: number): number => ((n & 1) === 0 ? b[n >> 1]! >> 4 : b[n >> 1]! & 0x0f);
  const number = (from: number, to: number): number => {
    let value = 0;
    for (let n = from; n < to; n++) value = value * 10 + digit(n);
    return value;
  };
  const longitude = number(0, 3) + number(3, 9) / 10_000 / 60;
  const flags = digit(9);
  return {
    latitude: (flags & NORTH) === 0 ? 0 - latitude : latitude,
    longitude: (flags & EAST) === 0 ? 0 - longitude : longitude,
  };
}

function readState(r: Reader, report: Report): void {
  const { attributes } = report;
  attributes['rssi'] = r.u8();
  attributes['sat'] = r.u8();
  attributes['odometer'] = r.u32() * 1000;
  const battery = r.u8();
  if (battery <= 100) attributes['batteryLevel'] = battery;
  else if (battery === 0xaa || battery === 0xab) attributes['charge'] = true;
  const cid = r.u32();
  const lac = r.u16();
  if (cid > 0 && lac > 0) report.cells.push({ mcc: 0, mnc: 0, lac, cid });
  const product = r.u8();
  const status = r.u16();
  attributes['status'] = status;
  const alarms = r.u16();
  if (product === 1 || product === 2) addAlarms(report, alarms, LOCK_ALARMS);
  if (product !== 3) return;
  attributes['blocked'] = (status & 0x20) !== 0;
  addAlarms(report, alarms, SEAL_ALARMS);
}

/** Above 8000, unlike a two's complement at 8000 itself. */
const signed = (raw: number): number => (raw > 0x8000 ? raw - 0x1_0000 : raw);

/** Returns the altitude in m, 0 where none is sent. */
function readItems(r: Reader, report: Report): number {
  let altitude = 0;
  const item: Item = { r, report, id: 0, length: 0, end: 0 };
  while (r.remaining > 2) {
    item.id = r.u8();
    item.length = r.u8();
    item.end = r.offset + item.length;
    asFarAsItGoes(() => {
      if (item.id === 0x02) altitude = r.i16();
      else readItem(item);
    });
    r.offset = item.end;
  }
  return altitude;
}

function readItem(item: Item): void {
  const { r, report } = item;
  if (item.id === 0x10) report.attributes['wakeSource'] = r.u8();
  else if (item.id === 0x0b) LOCK(item);
  else if (item.id === 0x0c) report.attributes['tilt'] = `[${signed(r.u16())},${signed(r.u16())},${signed(r.u16())}]`;
  else if (item.id === 0xfc) report.attributes['geofence'] = r.u8();
}
