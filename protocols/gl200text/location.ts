import { type AccessPoint, type Cell, utcOfDigits } from '#codec';
import { type Draft, type Fields, metres, outdated, setFix } from './report.ts';

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
/** LOCATION without its groups */
export const PASSING_LOCATION = LOCATION.replace(/\((?!\?)/g, '(?:');

type Groups = readonly (string | undefined)[];

/** Reads the groups of a LOCATION, of which the first is number `at`. */
export function readLocation(groups: Groups, at: number): Draft {
  const draft = outdated();
  const hdop = groups[at];
  if (hdop !== undefined) draft.attributes['hdop'] = Number(hdop);
  const [longitude, latitude, time] = [groups[at + 4], groups[at + 5], groups[at + 6]];
  if (longitude !== undefined && latitude !== undefined && time !== undefined) {
    delete draft.outdated;
    draft.valid = true;
    setFix(draft, Number(longitude), Number(latitude), utcOfDigits(time));
    draft.altitude = Number(groups[at + 3] ?? 0);
    draft.speed = Number(groups[at + 1] ?? 0);
    draft.course = Number(groups[at + 2] ?? 0) % 360;
  }
  const wifi = accessPoints(groups[at + 7]);
  const cells = servingCell(groups[at + 8], groups[at + 9], groups[at + 10], groups[at + 11]);
  if (wifi !== undefined || cells !== undefined)
    draft.network = { ...(cells === undefined ? {} : { cells }), ...(wifi === undefined ? {} : { wifi }) };
  const mileage = groups[at + 12];
  if (mileage !== undefined) draft.attributes['odometer'] = metres(Number(mileage));
  return draft;
}

const ACCESS_POINT = /([0-9A-Fa-f]{12}),(-?\d{1,4}),/g;

/** `mac,rssi,` again and again, whatever stands between. */
export function accessPoints(text: string | undefined): AccessPoint[] | undefined {
  if (text === undefined) return undefined;
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
  const draft = outdated({ hdop: fields.decimal() ?? 0 });
  const speed = fields.decimal() ?? 0;
  const course = fields.decimal() ?? 0;
  const altitude = fields.decimal() ?? 0;
  if (fields.peek() === '') {
    fields.skip(3);
  } else {
    delete draft.outdated;
    const longitude = fields.decimal() ?? 0;
    const latitude = fields.decimal() ?? 0;
    setFix(draft, longitude, latitude, fields.time());
    draft.valid = true;
    draft.altitude = altitude;
    draft.speed = speed;
    draft.course = wrapped(course);
  }
  if (fields.peek() === '') fields.skip(4);
  else {
    const mcc = fields.integer() ?? 0;
    const mnc = fields.integer() ?? 0;
    draft.network = { cells: [{ mcc, mnc, lac: fields.hex() ?? 0, cid: fields.hex() ?? 0 }] };
  }
  walkAppended(fields, model, draft);
  return draft;
}

function walkAppended(fields: Fields, model: string, draft: Draft): void {
  if (model.startsWith('GL5')) fields.skip(2);
  else if (model !== 'GL320M') {
    const mask = fields.integer() ?? 0;
    if ((mask & 1) !== 0) fields.set(draft.attributes, 'sat', fields.integer());
    if ((mask & 2) !== 0) fields.skip(1);
  }
}

export const wrapped = (course: number): number => ((course % 360) + 360) % 360;
