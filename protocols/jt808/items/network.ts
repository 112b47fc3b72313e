import { type Reader, toHex } from '#codec';
import type { Report } from '../report.ts';
import type { ReadItem } from './item.ts';

const macOf = (bytes: Uint8Array): string => toHex(bytes).replace(/..(?=.)/g, '$&:');

/** EC, F4: access points of 7 bytes. A group that has begun is read to its end. */
export const ACCESS_POINTS: ReadItem = ({ r, report, end }) => {
  while (r.offset < end) {
    const mac = macOf(r.view(6));
    report.wifi.push({ mac, rssi: 0 - Math.abs(r.i8()) });
  }
};

/** F0: cells of 13 bytes. */
export const CELLS: ReadItem = ({ r, report, end }) => {
  while (r.offset < end) {
    const mcc = r.u16();
    const mnc = r.u16();
    const cid = r.u32();
    const lac = r.u32();
    report.cells.push({ mcc, mnc, lac, cid, rssi: 0 - r.u8() });
  }
};

/** D4, E1, E9: by length. */
export const BATTERY_OR_DRIVER: ReadItem = (item) => {
  const { r, report, length } = item;
  if (length !== 1) report.attributes['driverUniqueId'] = String(r.u32());
  else {
    const level = r.u8();
    if (level === 0xff) report.attributes['charge'] = true;
    else report.attributes['batteryLevel'] = level;
  }
};

/** E1 as D4, and further lengths for power and cells. */
export const POWER_OR_CELLS: ReadItem = (item) => {
  const { r, report, length, end } = item;
  if (length === 2) report.attributes['power'] = r.u16() / 10;
  else if (length < 12 || (length - 4) % 8 !== 0) BATTERY_OR_DRIVER(item);
  else {
    const mcc = r.u16();
    const mnc = r.u16();
    while (r.offset < end) {
      const lac = r.u24();
      const cid = r.u32();
      report.cells.push({ mcc, mnc, lac, cid, rssi: 0 - r.u8() });
    }
  }
};

/** First form of EB: cells of 5 bytes. */
export function readShortCells(r: Reader, end: number, report: Report): void {
  const mcc = r.u16();
  const mnc = r.u8();
  while (r.offset < end) {
    const lac = r.u16();
    const cid = r.u16();
    report.cells.push({ mcc, mnc, lac, cid, rssi: 0 - r.u8() });
  }
}
