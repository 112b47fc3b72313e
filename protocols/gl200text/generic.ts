import type { Attributes } from '#codec';
import { isDigits, TextRecord, utcFromDigits } from '#codec/text';
import { ALARMS, HARSH } from './elements.ts';
import { keepUnread, type Report } from './report.ts';

const DEGREES = /^-?\d{1,3}\.\d{6}$/;
const SHORT_HEX = /^[0-9A-Fa-f]{1,2}$/;
const NUMBER = /^-?\d{1,6}(?:\.\d{0,6})?$/;
const LAC = /^[0-9A-Fa-f]{4}$/;
const CID = /^[0-9A-Fa-f]{4,8}$/;
const LEVEL = /^\d{1,3}$/;

/** Any message: its fix and its cell are found by how their fields look. Undefined where it says nothing. */
export function readGeneric({ v, type, sendTime }: Report): TextRecord | undefined {
  const record = new TextRecord();
  const { draft } = record;
  const { attributes } = draft;
  readKind(type, v[5], attributes);
  const place = findFix(v);
  let unread = 4;
  if (place > 0) {
    readFix(record, v, place);
    keepUnread(attributes, 'data', v.slice(4, Math.max(4, place - 4)).join(','));
    unread = place + 3;
  }
  const cell = findCell(v, place > 0 ? unread : 2);
  if (cell > 0) {
    const [mcc, mnc] = [Number(v[cell]), Number(v[cell + 1])];
    draft.addCell({ mcc, mnc, lac: Number.parseInt(v[cell + 2]!, 16), cid: Number.parseInt(v[cell + 3]!, 16) });
    unread = cell + 4;
  }
  if (sendTime !== undefined) {
    draft.deviceTime = sendTime;
    const level = v[v.length - 3]!;
    if (place > 0 && LEVEL.test(level)) attributes['batteryLevel'] = Number(level);
  }
  keepUnread(attributes, 'tail', v.slice(unread, sendTime === undefined ? -1 : -2).join(','));
  const saysNothing = place < 0 && cell < 0 && !ALARMS.has(type) && Object.keys(attributes).length === 0;
  return saysNothing ? undefined : record;
}

/** What a report's own number says. */
function readKind(type: string, field: string | undefined, attributes: Attributes): void {
  if (field === undefined || !SHORT_HEX.test(field)) return;
  const value = Number.parseInt(field, 16);
  const low = value % 16;
  if (type === 'NMR') attributes['motion'] = value === 1;
  else if (type === 'DIS') attributes[`in${value >> 4}`] = low === 1;
  else if (type === 'IGL') attributes['ignition'] = low === 1;
  else if (type === 'HBM') {
    const alarm = HARSH[low];
    if (alarm !== undefined) attributes['alarm'] = alarm;
  }
}

/** The index of the longitude, which precedes the latitude; -1 without coordinates. */
function findFix(v: readonly string[]): number {
  for (let at = 3; at + 2 < v.length; at++) {
    if (looksLikeDegrees(v[at]!) && looksLikeDegrees(v[at + 1]!) && isDigits(v[at + 2]!, 14)) return at;
  }
  return -1;
}

function readFix(record: TextRecord, v: readonly string[], at: number): void {
  const hdop = numberOf(v[at - 4]);
  if (hdop !== undefined && hdop >= 0) record.draft.attributes['hdop'] = hdop;
  record.longitude = Number(v[at]);
  record.latitude = Number(v[at + 1]);
  record.fixTime = utcFromDigits(v[at + 2]!);
  record.draft.setMovement(numberOf(v[at - 1]), numberOf(v[at - 3]), numberOf(v[at - 2]));
}

const numberOf = (field: string | undefined): number | undefined =>
  field !== undefined && NUMBER.test(field) ? Number(field) : undefined;

/** Few fields have six decimals; the others are recognized by their length. */
const looksLikeDegrees = (field: string): boolean => field.length >= 8 && DEGREES.test(field);

/** Where mcc, mnc, lac and cid stand in a row; -1 where they do not. */
function findCell(v: readonly string[], from: number): number {
  for (let at = from; at + 3 < v.length; at++) {
    if (isDigits(v[at]!, 4) && isDigits(v[at + 1]!, 4) && LAC.test(v[at + 2]!) && CID.test(v[at + 3]!)) {
      if (Number(v[at]) <= 999) return at;
    }
  }
  return -1;
}
