import type { ReadItem } from './item.ts';

/** 0B: lock event; which credential opened it shows by the length. */
export const LOCK: ReadItem = ({ r, report, length }) => {
  const { attributes } = report;
  attributes['lockCommand'] = r.u8();
  if (length === 5 || length === 6) attributes['lockCard'] = r.u32();
  else if (length >= 7) attributes['lockPassword'] = r.latin1(6);
  if (length % 2 === 0) attributes['unlockResult'] = r.u8();
};

/** 60: event; those of cards hold the card. */
export const EVENT: ReadItem = ({ r, report }) => {
  const event = r.u16();
  report.attributes['event'] = event;
  if (event < 0x61 || event > 0x66) return;
  r.skip(6);
  report.attributes['driverUniqueId'] = r.latin1(8);
};

/** 63: subordinate locks. */
export const LOCKS: ReadItem = ({ r, report, length }) => {
  const { attributes } = report;
  for (let n = 1; n <= Math.floor(length / 11); n++) {
    attributes[`lock${n}Id`] = r.hex(6);
    attributes[`lock${n}Battery`] = r.u16() / 1000;
    attributes[`lock${n}Seal`] = r.u8() === 0x31;
    r.skip(2);
  }
};

/** D5: battery of two bytes, or locks. */
export const LOCKS_OR_BATTERY: ReadItem = ({ r, report, length, end }) => {
  const { attributes } = report;
  if (length === 2) {
    attributes['battery'] = r.u16() / 100;
    return;
  }
  const count = r.u8();
  for (let n = 1; n <= count && r.offset < end; n++) {
    attributes[`lock${n}Id`] = r.hex(5);
    attributes[`lock${n}Card`] = r.hex(5);
    attributes[`lock${n}Battery`] = r.u8();
    attributes[`lock${n}Locked`] = (r.u16() & 0x20) === 0;
  }
};

/** DA: string, motion and cover of a seal. */
export const SEAL: ReadItem = ({ r, report }) => {
  r.skip(2);
  const status = r.u8();
  report.attributes['string'] = (status & 0x01) !== 0;
  report.attributes['motion'] = (status & 0x04) !== 0;
  report.attributes['cover'] = (status & 0x08) !== 0;
};

/** E8 of all but cameras. */
export const LOCK_STATUS: ReadItem = ({ r, report }) => {
  report.attributes['lockStatus'] = r.u24();
};
