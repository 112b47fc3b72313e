import { Draft, type Reader } from '#codec';
import { ALARMS } from './elements.ts';

/** 2000-01-01, from which the device counts seconds */
export const EPOCH = Date.UTC(2000, 0, 1);
const RECORD_BYTES = 52;

/** Signal strength, which comes without its sign from some. */
export const negative = (rssi: number): number => (rssi > 0 ? -rssi : rssi);

/** CCC: version, length of a record, how many remain, records. */
export function readFixedRecords(r: Reader): Draft[] {
  r.skip(8);
  const drafts: Draft[] = [];
  while (r.remaining >= RECORD_BYTES) drafts.push(readRecord(r.slice(RECORD_BYTES)));
  return drafts;
}

function readRecord(r: Reader): Draft {
  const event = r.u8();
  const draft = new Draft({ event });
  const { attributes } = draft;
  draft.addAlarm(ALARMS.get(event));
  const latitude = r.i32LE() / 1e6;
  const longitude = r.i32LE() / 1e6;
  const time = EPOCH + r.u32LE() * 1000;
  draft.setFix(time, r.u8() === 1, latitude, longitude);
  attributes['sat'] = r.u8();
  const rssi = negative(r.u8());
  const speed = r.u16LE();
  const course = r.u16LE() % 360;
  attributes['hdop'] = r.u16LE() / 10;
  draft.setMovement(r.i16LE(), speed, course);
  attributes['odometer'] = r.u32LE();
  attributes['runtime'] = r.u32LE();
  draft.addCell({ mcc: r.u16LE(), mnc: r.u16LE(), lac: r.u16LE(), cid: r.u16LE(), rssi });
  const lines = r.u16LE();
  attributes['status'] = lines;
  attributes['input'] = lines >> 8;
  attributes['output'] = lines & 0xff;
  attributes['adc1'] = r.u16LE();
  attributes['battery'] = r.u16LE() / 100;
  attributes['power'] = r.u16LE() / 100;
  return draft;
}
