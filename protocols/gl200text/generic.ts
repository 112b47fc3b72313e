import type { Attributes } from '#codec';
import { isDigits, TextRecord, utcFromDigits } from '#codec/text';
import { readHead } from './head.ts';
import { keepUnread, type Report } from './report.ts';
import { readTail } from './tail.ts';

const DEGREES = /^-?\d{1,3}\.\d{6}$/;
const NUMBER = /^-?\d{1,6}(?:\.\d{0,6})?$/;
const LAC = /^[0-9A-Fa-f]{4}$/;
const CID = /^[0-9A-Fa-f]{4,8}$/;
const NAME_AT = 3;

/**
 * Any message: its fix and its cell are found by how their fields look, whatever the model has before them; the fields
 * before the fix and behind the cell are read by the type of the message. Undefined if it says nothing.
 */
export function readGeneric(report: Report): TextRecord | undefined {
  const { v, sendTime } = report;
  const record = new TextRecord({ model: report.model });
  const { draft } = record;
  const place = findFix(v);
  const hasFix = place > 0;
  const end = v.length - (sendTime === undefined ? 1 : 2);
  let unread = NAME_AT + 1;
  if (hasFix) {
    const before = hasFlag(report, place) ? 1 : shiftOf(v, place);
    if (hasFlag(report, place)) readOldFix(record, v, place);
    else readFix(record, v, place - before, place);
    const head = v.slice(NAME_AT + 1, Math.max(NAME_AT + 1, place - 4 - before));
    keepUnread(draft.attributes, 'data', readHead(report, head, draft.attributes).join(','));
    unread = place + 3;
  } else readHead(report, v.slice(NAME_AT + 1, end), draft.attributes);
  const cell = findCell(v, hasFix ? unread : 2);
  if (cell > 0) addCell(record, v, cell);
  if (sendTime !== undefined) draft.deviceTime = sendTime;
  unread = cell > 0 ? cell + 4 : hasFix && isEmptyCell(v, unread) ? unread + 4 : unread;
  const tail = v.slice(unread, end);
  keepUnread(draft.attributes, 'tail', (hasFix ? readTail(report, tail, record) : tail).join(','));
  return saysNothing(draft.attributes) && !hasFix && cell < 0 && report.alarm === undefined ? undefined : record;
}

/** Reads the fix and the cell of a message by how their fields look; returns where they begin and end in `v`. */
export function readPlaceByLooks({ v }: Report, record: TextRecord): readonly [start: number, end: number] | undefined {
  const place = findFix(v);
  if (place < 0) return undefined;
  const before = shiftOf(v, place);
  readFix(record, v, place - before, place);
  const start = place - 4 - before;
  const end = place + 3;
  if (findCell(v, end) !== end) return [start, end];
  addCell(record, v, end);
  return [start, end + 4];
}

function addCell({ draft }: TextRecord, v: readonly string[], at: number): void {
  const [mcc, mnc] = [Number(v[at]), Number(v[at + 1])];
  draft.addCell({ mcc, mnc, lac: Number.parseInt(v[at + 2]!, 16), cid: Number.parseInt(v[at + 3]!, 16) });
}

const saysNothing = (attributes: Attributes): boolean => Object.keys(attributes).length === 0;

/** The index of the longitude, which precedes the latitude; -1 without coordinates. */
function findFix(v: readonly string[]): number {
  for (let at = 3; at + 2 < v.length; at++) {
    if (looksLikeDegrees(v[at]!) && looksLikeDegrees(v[at + 1]!) && isDigits(v[at + 2]!, 14)) return at;
  }
  return -1;
}

export const hasPlace = ({ v }: Report): boolean => findFix(v) > 0;

/** HDOP, speed, course, altitude, longitude, latitude, time. With HDOP 0 the place is the last known one. */
function readFix(record: TextRecord, v: readonly string[], at: number, place: number): void {
  const hdop = at - 4 > NAME_AT ? numberOf(v[at - 4]) : undefined;
  if (hdop !== undefined && hdop >= 0) record.draft.attributes['hdop'] = hdop;
  record.valid = hdop !== 0;
  readPlace(record, v, place);
  record.draft.setMovement(numberOf(v[at - 1]), numberOf(v[at - 3]), numberOf(v[at - 2]));
}

function readPlace(record: TextRecord, v: readonly string[], place: number): void {
  record.longitude = Number(v[place]);
  record.latitude = Number(v[place + 1]);
  record.fixTime = utcFromDigits(v[place + 2]!);
}

/**
 * GT200, GT300 and their kin: whether there is a fix, speed, course, altitude, and the accuracy
 * last. Source: GT300 @Track Air Interface Protocol 4.02, 4.3.
 */
function hasFlag({ v }: Report, place: number): boolean {
  const fields = v.slice(place - FIELDS_WITH_FLAG.length, place);
  const isOld = isDigits(v[1]!, 15);
  return FIELDS_WITH_FLAG.every((form, at) => form.test(fields[at] ?? '-') || (isOld && fields[at] === ''));
}

function readOldFix(record: TextRecord, v: readonly string[], place: number): void {
  record.valid = v[place - 5] === '1';
  const hdop = numberOf(v[place - 1]);
  if (hdop !== undefined) record.draft.attributes['hdop'] = hdop;
  record.draft.setMovement(numberOf(v[place - 2]), numberOf(v[place - 4]), numberOf(v[place - 3]));
  readPlace(record, v, place);
}

/**
 * 1 where a field more stands between altitude and longitude: speed and altitude have a decimal, and the azimuth between
 * them has none.
 */
function shiftOf(v: readonly string[], at: number): number {
  if (at - 5 <= NAME_AT) return 0;
  const [hdop, speed, course, altitude] = v.slice(at - 5, at - 1) as [string, string, string, string];
  const isShifted = HDOP.test(hdop) && DECIMAL.test(speed) && AZIMUTH.test(course) && DECIMAL.test(altitude);
  return isShifted && DECIMAL.test(v[at - 1]!) ? 1 : 0;
}
const HDOP = /^(?:\d{1,2}(?:\.\d{1,2})?)?$/;
const DECIMAL = /^-?\d{1,5}\.\d$/;
const AZIMUTH = /^\d{1,3}$/;
/** flag, speed, course, altitude, accuracy */
const FIELDS_WITH_FLAG = [/^[01]$/, DECIMAL, AZIMUTH, DECIMAL, /^\d{1,2}$/];

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

const isEmptyCell = (v: readonly string[], at: number): boolean =>
  v.slice(at, at + 4).length === 4 && v.slice(at, at + 4).every((field) => field === '');
