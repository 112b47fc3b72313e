import { type AccessPoint, type Attributes, type Cell, decimalOf, utcOfDigits } from '#codec';
import { type Draft, type Fields, fixed, metres, outdated } from './report.ts';

/**
 * The pieces of the grammars. A grammar is one match: what may be missing takes as much as it can and gives back.
 * Every repetition is bounded, so that no text takes long. Fields are followed by a comma.
 */
export const HEX_DIGIT = '[0-9A-Fa-f]';
/** version and id, for the types that are put in */
export const head = (types: string): string =>
  `^\\+(?:RESP|BUFF):GT${types},(?:[^,]{6}|[^,]{10})?,(?:\\d{15}|${HEX_DIGIT}{14}),`;
/** the device's name */
export const NAME = '[^,]{0,64},';
/** send time, at the end of the body */
export const SENT = '(?:\\d{14})?$';

/** hdop, speed, course, altitude, longitude, latitude, time, access points, mcc, mnc, lac, cid, mileage */
export const LOCATION =
  '(\\d{1,2}\\.?\\d?)?,(\\d{1,3}\\.\\d)?,(\\d{1,3}\\.?\\d?)?,(-?\\d{1,5}\\.\\d)?,' +
  '(-?\\d{1,3}\\.\\d{6})?,(-?\\d{1,2}\\.\\d{6})?,(\\d{14})?' +
  `(?:,\\d{1,3}((?:,${HEX_DIGIT}{12},-\\d{1,3},,,){1,32}))?` +
  `,(\\d{1,10})?,(\\d{1,10})?,(${HEX_DIGIT}{1,10})?,(${HEX_DIGIT}{1,10})?,(?:\\d{1,10}|(\\d{1,10}\\.\\d))?,`;
type Groups = readonly (string | undefined)[];

/** Reads the groups of a LOCATION, of which the first is number `at`. */
export function readLocation(groups: Groups, at: number): Draft {
  const attributes: Attributes = {};
  const hdop = groups[at];
  if (hdop !== undefined) attributes['hdop'] = decimalOf(hdop)!;
  const draft = readFix(groups, at, attributes);
  const wifi = groups[at + 7] === undefined ? undefined : accessPoints(groups[at + 7]!);
  const cells = servingCell(groups[at + 8], groups[at + 9], groups[at + 10], groups[at + 11]);
  if (wifi !== undefined) draft.network = cells === undefined ? { wifi } : { cells, wifi };
  else if (cells !== undefined) draft.network = { cells };
  const mileage = groups[at + 12];
  if (mileage !== undefined) attributes['odometer'] = metres(Number(mileage));
  return draft;
}

function readFix(groups: Groups, at: number, attributes: Attributes): Draft {
  const [longitude, latitude, time] = [groups[at + 4], groups[at + 5], groups[at + 6]];
  if (longitude === undefined || latitude === undefined || time === undefined) return outdated(attributes);
  const place = [decimalOf(longitude)!, decimalOf(latitude)!, numberOr0(groups[at + 3])] as const;
  return fixed(attributes, utcOfDigits(time), place, [numberOr0(groups[at + 1]), numberOr0(groups[at + 2])]);
}

const numberOr0 = (text: string | undefined): number => (text === undefined ? 0 : decimalOf(text)!);

const ACCESS_POINT = /([0-9A-Fa-f]{12}),(-?\d{1,4}),/g;

/** `mac,rssi,` again and again, whatever stands between. */
export function accessPoints(text: string): AccessPoint[] {
  return Array.from(text.matchAll(ACCESS_POINT), ([, mac, rssi]) => ({
    mac: mac!.replace(/..(?=.)/g, '$&:'),
    rssi: Number(rssi),
  }));
}

/** CDMA networks have system ids of more than three digits there, and decimals in place of lac and cid. */
const MOST_MCC = 999;

export function servingCell(mcc?: string, mnc?: string, lac?: string, cid?: string): [Cell] | undefined {
  if (mcc === undefined || mnc === undefined || lac === undefined || cid === undefined) return undefined;
  if (Number(mcc) > MOST_MCC) return undefined;
  return [{ mcc: Number(mcc), mnc: Number(mnc), lac: Number.parseInt(lac, 16), cid: Number.parseInt(cid, 16) }];
}

/** The location of the messages that are walked as lists. */
export function walkLocation(fields: Fields, model: string): Draft {
  const attributes: Attributes = { hdop: fields.decimal() ?? 0 };
  const draft = walkFix(fields, attributes) ?? outdated(attributes);
  if (fields.peek() === '') fields.skip(4);
  else {
    const mcc = fields.integer() ?? 0;
    const mnc = fields.integer() ?? 0;
    draft.network = { cells: [{ mcc, mnc, lac: fields.hex() ?? 0, cid: fields.hex() ?? 0 }] };
  }
  walkAppended(fields, model, draft);
  return draft;
}

/** Speed, course, altitude, longitude, latitude, time; undefined where the place is empty. */
export function walkFix(fields: Fields, attributes: Attributes): Draft | undefined {
  const motion = [fields.decimal() ?? 0, fields.decimal() ?? 0] as const;
  const altitude = fields.decimal() ?? 0;
  if (fields.peek() === '') {
    fields.skip(3);
    return undefined;
  }
  const place = [fields.decimal() ?? 0, fields.decimal() ?? 0, altitude] as const;
  return fixed(attributes, fields.time(), place, motion);
}

function walkAppended(fields: Fields, model: string, draft: Draft): void {
  if (model.startsWith('GL5')) fields.skip(2);
  else if (model !== 'GL320M') {
    const mask = fields.integer() ?? 0;
    if ((mask & 1) !== 0) fields.set(draft.attributes, 'sat', fields.integer());
    if ((mask & 2) !== 0) fields.skip(1);
  }
}
