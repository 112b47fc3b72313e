import { trimmed } from '../values.ts';
import type { ReadItem } from './item.ts';
import { EVENT_MASK } from './sensors.ts';

/** F3: Bluetooth tags; the mask says what each of them brings. */
export const TAGS: ReadItem = ({ r, report, end }) => {
  const { attributes } = report;
  const mask = r.u8();
  for (let n = 1; r.offset < end; n++) {
    attributes[`tag${n}Mac`] = r.hex(6);
    attributes[`tag${n}Rssi`] = r.i8();
    if ((mask & 0x01) !== 0) attributes[`tag${n}Name`] = trimmed(r.latin1(10));
    if ((mask & 0x02) !== 0) r.skip(2);
    if ((mask & 0x04) !== 0) attributes[`tag${n}Battery`] = r.u16() / 1000;
    if ((mask & 0x08) !== 0) attributes[`tag${n}Temp`] = r.i16() / 10;
    if ((mask & 0x10) !== 0) attributes[`tag${n}Humidity`] = r.i16() / 10;
    if ((mask & 0x20) !== 0) r.skip(6);
    if ((mask & 0x40) !== 0) r.skip(2);
    if ((mask & 0x80) !== 0) r.skip(2);
  }
};

/** F6 has no other forms here. */
export const EVENT_MASK_AOVX: ReadItem = EVENT_MASK;

/** F8: IMEI, then ICCID. */
export const ICCID_AOVX: ReadItem = ({ r, report }) => {
  r.skip(9);
  report.attributes['iccid'] = r.hex(10);
};
