import type { Report } from '../report.ts';
import { numberOf, readValue, type Value } from '../values.ts';
import { addAlarms, type Item, type ReadItem } from './item.ts';
import { readShortCells } from './network.ts';

const VALUES: Readonly<Record<number, Value>> = {
  0x0001: { key: 'fuel1', as: 'u16', divide: 10 },
  0x00a8: { key: 'batteryLevel', as: 'u8' },
  0x00ce: { key: 'power', as: 'u16', divide: 100 },
  0x00e1: { key: 'batteryLevel', as: 'u8' },
};

/** A group: the item with `length` of id and value together, after the id. */
const GROUPS: Readonly<Record<number, ReadItem>> = {
  0x0023: ({ r, report }) => {
    const litres = numberOf(r.latin1(6));
    if (litres !== undefined) report.attributes['fuel2'] = litres;
  },
  0x002d: ({ r, report, length }) => {
    if (length === 6) report.attributes['power'] = r.u32() / 1000;
    else report.attributes['battery'] = r.u16() / 1000;
  },
  // A clear bit is an alarm here.
  0x0089: ({ r, report }) =>
    addAlarms(report, ~r.u32(), [
      [0x0001, 'powerOff'],
      [0x1000, 'removing'],
    ]),
  0x00b2: ({ r, report }) => {
    report.attributes['iccid'] = r.hex(10).replace(/f+$/, '');
  },
  0x00b9: readAccessPoints,
  0x00c5: ({ r, report }) => {
    const flags = r.u32();
    addAlarms(report, ~flags, [[0x40, 'vibration']]);
    const motion = (flags >>> 23) & 0x03;
    if (motion < 2) report.attributes['motion'] = motion === 0;
  },
  0x00c6: ({ r, report }) => {
    const level = r.u8();
    report.attributes['batteryAlarm'] = level;
    if (level === 3 || level === 4) report.alarms = ['lowBattery'];
  },
  0x00d8: ({ r, report }) => {
    const mcc = r.u16();
    const mnc = r.u8();
    const lac = r.u16();
    report.cells.push({ mcc, mnc, lac, cid: r.u32() });
  },
};

const MAC = /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i;

/** `mac,rssi,mac,rssi…` */
function readAccessPoints({ r, report, length }: Item): void {
  r.skip(1);
  const fields = r.latin1(length - 3).split(',');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const rssi = numberOf(fields[at + 1]!);
    if (rssi !== undefined && MAC.test(fields[at]!)) report.wifi.push({ mac: fields[at]!, rssi: 0 - Math.abs(rssi) });
  }
}

/** EB: cells, the name of a time zone, or groups of u16 length, u16 id and value. */
export const EXTENDED: ReadItem = (item) => {
  const { r, report, length, end } = item;
  const at = r.offset;
  const first = r.u16();
  r.offset = at;
  if (first > 200 && (length - 3) % 5 === 0) readShortCells(r, end, report);
  else if (!readZoneName(item)) readGroups(item);
};

function readZoneName({ r, report, length }: Item): boolean {
  const at = r.offset;
  const text = r.latin1(length);
  if (/^[\x20-\x7f\r\n]*$/.test(text)) {
    report.attributes['timezone'] = text;
    return true;
  }
  r.offset = at;
  return false;
}

function readGroups(item: Item): void {
  const { r, report, end } = item;
  while (end - r.offset >= 4) {
    const length = r.u16();
    const next = r.offset + length;
    const id = r.u16();
    const definition = VALUES[id];
    if (definition !== undefined) report.attributes[definition.key] = readValue(r, definition);
    else GROUPS[id]?.(group(r, report, id, length, next));
    r.offset = next;
  }
}

const group = (r: Item['r'], report: Report, id: number, length: number, end: number): Item => ({
  r,
  report,
  id,
  length,
  end,
});
