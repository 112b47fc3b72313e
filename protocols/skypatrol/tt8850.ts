import {
  CodecError,
  type Decoded,
  Draft,
  fromLatin1,
  type Message,
  Reader,
  type Reply,
  storedReply,
  toLatin1,
} from '#codec';
import { parseTime } from '#codec/text';

const TEXT = 4;
const BINARY = 5;
const COMMA = 0x2c;
/** What a binary report has, by the bits of its mask. */
const [SPEED, COURSE, SENT, VERSION] = [0x01, 0x02, 0x10, 0x40] as const;
const ID_BYTES = 15;
/** Of altitude, cell and name it is not known how many bytes they have. */
const KNOWN = SPEED | COURSE | SENT | VERSION;
const SACK_WANTED = 1;

/** Places of the fields in a text that is split at its commas. */
const [SACK, KIND, ID, NUMBER, TYPE, COUNT, PLACES] = [2, 3, 5, 7, 8, 9, 10] as const;
/** dilution, speed, course, altitude, longitude, latitude, time, country, network, area, cell */
const PLACE_FIELDS = 11;
const MAX_POSITIONS = 15;

const ALARMS: Readonly<Record<string, string>> = {
  GTSOS: 'sos',
  GTSPD: 'overspeed',
  GTBPL: 'lowBattery',
  GTEPN: 'powerRestored',
  GTEPF: 'powerCut',
  GTPNA: 'powerOn',
  GTPFA: 'powerOff',
};
const CHARGING: Readonly<Record<string, boolean>> = { GTBTC: true, GTSTC: false, GTEPN: true, GTEPF: false };
/** States of the vehicle: ignition, and whether it moves. */
const STATES: Readonly<Record<string, readonly [ignition: boolean, motion: boolean]>> = {
  21: [true, false],
  22: [true, true],
  41: [false, false],
  42: [false, true],
};

/** A report of a TT8850 in text or in binary, whose head others do not have. */
export const isOfTT8850 = (bytes: Uint8Array): boolean =>
  bytes[0] === 0 &&
  ((bytes[1] === TEXT && bytes[2] === COMMA) || (bytes[1] === BINARY && bytes[2] === 0 && (bytes[4] ?? 2) <= 1));

export function decodeTT8850(frame: Uint8Array): Decoded<undefined> {
  if (frame[1] === BINARY) return decodeBinary(new Reader(frame));
  const reports = toLatin1(frame)
    .split('$')
    .map((text) => text.split(','))
    .filter((fields) => fields.length > ID);
  const [first] = reports;
  if (first === undefined || !/^\d{15}$/.test(first[ID]!)) throw new CodecError('bad-text', 'no report of a TT8850');
  return {
    state: undefined,
    messages: [{ type: 'login', ids: [first[ID]!] }, ...reports.flatMap(readText)],
    replies: reports.flatMap((fields) => (fields[SACK] === '1' ? [acknowledge(fields.at(-1)!)] : [])),
  };
}

const acknowledge = (count: string): Reply => storedReply(fromLatin1(`+SACK:${count}$`));

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d{1,5}(?:\.\d{1,7})?$/.test(text) ? Number(text) : undefined;

/** Country, network, area and cell, the last two in hex. */
const CELL = /^(\d{1,4}),(\d{1,4}),([0-9A-Fa-f]{1,4}),([0-9A-Fa-f]{1,8})$/;

function readText(fields: readonly string[]): Message[] {
  const places = fields[KIND] === 'GTBAT' ? 0 : Math.min(numberOf(fields[COUNT]) ?? 0, MAX_POSITIONS);
  const drafts: Draft[] = [];
  for (let n = 0; n < places; n++) {
    const place = fields.slice(PLACES + n * PLACE_FIELDS, PLACES + (n + 1) * PLACE_FIELDS);
    const draft = place.length === PLACE_FIELDS ? readPlace(place) : undefined;
    if (draft !== undefined) drafts.push(draft);
  }
  if (drafts.length === 0) drafts.push(new Draft());
  // what is said beside the places belongs to the last one
  const last = drafts.at(-1)!;
  readKind(fields, last);
  const { attributes } = last;
  if (places > 0) setNumber(attributes, 'batteryLevel', fields[PLACES + places * PLACE_FIELDS]);
  if (!last.hasFix) last.deviceTime = parseTime(fields.at(-2)!, 'yyyyMMddHHmmss');
  const count = fields.at(-1)!;
  if (/^[0-9A-Fa-f]{4}$/.test(count)) attributes['index'] = Number.parseInt(count, 16);
  return drafts.map((draft) => draft.toPosition());
}

function setNumber(into: Draft['attributes'], key: string, text: string | undefined): void {
  const number = numberOf(text);
  if (number !== undefined) into[key] = number;
}

/** Dilution 0 is a place from before. */
function readPlace(fields: readonly string[]): Draft | undefined {
  const [dilution, speed, course, altitude, longitude, latitude] = fields.map(numberOf);
  const time = parseTime(fields[6]!, 'yyyyMMddHHmmss');
  if (latitude === undefined || longitude === undefined || time === undefined) return undefined;
  const draft = new Draft();
  draft.setFix(time, dilution !== 0, latitude, longitude);
  draft.setMovement(altitude, speed, course);
  if (dilution !== undefined && dilution > 0) draft.attributes['hdop'] = dilution;
  const [, mcc, mnc, lac, cid] = CELL.exec(fields.slice(7, 11).join()) ?? [];
  if (mcc !== undefined) {
    const [area, cell] = [Number.parseInt(lac!, 16), Number.parseInt(cid!, 16)];
    draft.addCell({ mcc: Number(mcc), mnc: Number(mnc), lac: area, cid: cell });
  }
  return draft;
}

function readKind(fields: readonly string[], draft: Draft): void {
  const { attributes } = draft;
  const [kind, type] = [fields[KIND]!, fields[TYPE] ?? ''];
  attributes['event'] = kind;
  draft.addAlarm(ALARMS[kind]);
  if (kind === 'GTGEO') draft.addAlarm(type === '1' ? 'geofenceEnter' : 'geofenceExit');
  if (CHARGING[kind] !== undefined) attributes['charge'] = CHARGING[kind];
  if (kind === 'GTNMR' && /^[01]$/.test(type)) attributes['motion'] = type === '1';
  const state = kind === 'GTNMR' || kind === 'GTSTT' ? STATES[type] : undefined;
  if (state !== undefined) [attributes['ignition'], attributes['motion']] = state;
  if (kind === 'GTBAT') {
    attributes['charge'] = fields[NUMBER] === '1' || fields[11] === '1';
    setNumber(attributes, 'batteryLevel', fields[9]);
  }
}

function decodeBinary(reader: Reader): Decoded<undefined> {
  reader.skip(2);
  const mask = reader.u16();
  if ((mask & ~KNOWN) !== 0) throw new CodecError('unknown-type', `mask ${mask} of a report is not known`, 2);
  const wanted = reader.u8();
  const draft = new Draft({ event: reader.u8() });
  if ((mask & VERSION) !== 0) reader.skip(3); // of the protocol
  const id = reader.latin1(ID_BYTES);
  if (!/^\d{15}$/.test(id)) throw new CodecError('bad-value', 'the report names no device', reader.offset);
  reader.skip(2); // number and type of the report, number of places
  const dilution = reader.u8();
  const speed = (mask & SPEED) !== 0 ? reader.u16() : undefined;
  const course = (mask & COURSE) !== 0 ? reader.u16() : undefined;
  const [longitude, latitude] = [reader.i32() / 1e6, reader.i32() / 1e6];
  draft.setFix(reader.date6(), dilution > 0, latitude, longitude);
  // the unit of other speeds is not known
  draft.setMovement(undefined, speed === 0 ? 0 : undefined, course);
  if (dilution > 0) draft.attributes['hdop'] = dilution;
  draft.attributes['batteryLevel'] = reader.u8();
  if ((mask & SENT) !== 0) reader.skip(6);
  const count = reader.u16();
  draft.attributes['index'] = count;
  const replies = wanted === SACK_WANTED ? [acknowledge(count.toString(16).toUpperCase().padStart(4, '0'))] : [];
  return { state: undefined, messages: [{ type: 'login', ids: [id] }, draft.toPosition()], replies };
}
