import {
  type Attributes,
  CodecError,
  type DecodeContext,
  type Decoded,
  exactUtcFromParts,
  fromLatin1,
  type Message,
  type Reply,
  readOptional,
  statusPosition,
  storedReply,
  storedTextReply,
  textAnswer,
  toLatin1,
} from '#codec';
import { type Grammar, matchRecord, TextRecord, utcToDigits } from '#codec/text';
import { acknowledgeFile, filePiece, readFile, type WatchState } from './files.ts';
import { accessPointsOf, HEALTH, HEARTBEAT, MEASUREMENTS, POSITION, SIGNALS_ONLY, STEPS } from './tables.ts';

const MESSAGE = /^(TRV|IW)([A-Z]P[0-9A-Z]{2})([^#]*)#?$/;
const LOGIN = /^,?(\d{15})(?:,|$)/;
/** What answers a command begins with the number that the command had. */
const ANSWER = /^,\d{6}(?:,|$)/;
/** Trackers (TRV) leave the comma out, and one digit may follow. */
const ANSWER_OF_TRACKER = /^\d{6}(?:\d?$|,)/;
const POSITIONS: readonly string[] = ['AP01', 'AP10', 'YP03', 'YP05', 'YP14', 'YP15'];
/** Answers to commands: what would answer them is a command itself. */
const SILENT: readonly string[] = [
  'AP12',
  'AP14',
  'AP15',
  'AP16',
  'AP17',
  'AP18',
  'AP20',
  'AP31',
  'AP33',
  'AP34',
  'AP40',
  'AP46',
  'AP61',
  'AP64',
  'AP76',
  'AP77',
  'AP78',
  'AP84',
  'AP85',
  'AP86',
  'AP87',
  'AP88',
  'AP92',
  // a request of the weather, and what a watch is
  'APTQ',
  'APVR',
  'CP03',
  'XP02',
];
/** Language, behind which may be beacons, also as a field of their own, whether the address is wanted, number of cells, country, network. */
const CELLS = /^,[^,]{0,1000}(?:,[^,]{0,1000}\|[^,]{0,1000})?,[01],\d{1,2},(\d{1,3}),(\d{1,3}),/;
/** Number of cells, country, network, one cell. */
const CELL_OF_WEATHER = /^,1,(\d{1,3}),(\d{1,3}),(\d{1,5})\|(\d{1,10})\|(-?\d{1,3})(?=,|$)/;
const VERSION = /^,(\d{15}),([^,]{1,80})$/;
const WORN = /^,\d{15},([01])(?:,|$)/;
const LEVEL = /^,(\d{1,3})$/;
/** A watch says at 75, 50, 25 and 10 per cent that its battery is low; the first two are no alarm. */
const LOW_BATTERY = 25;
/** Whole cells behind the access points: country, network, area, cell, level. */
const MORE_CELLS = /,(\d{3})\|(\d{1,3})\|(\d{1,5})\|(\d{1,10})\|(-?\d{1,3})(?=,|$)/g;
const ONE_CELL = /^,(\d{1,3}),(\d{1,3}),(\d{1,5}),(\d{1,10})$/;
const CARDS = /^,\d{10,16},(\d{18,20}[0-9A-Fa-f]?)$/;
/** IMEI and epoch in seconds or milliseconds. */
const FALL = /^,\d{15}(?:,(\d{10}|\d{13})?)?$/;
/** Period, number of states, states as digits whose meaning is not documented. */
const SLEEP = /^,(\d{4}@\d{4}),\d{1,4},(\d{1,1440})(?:\.{3})?$/;
const MEASUREMENT = /^,[^,]{0,40},(\d),([\d.|]{1,20})$/;
const DAY_MS = 86_400_000;
const CELL = /(?:^|,)(\d{1,5})\|(\d{1,10})\|(-?\d{1,3})(?=,|$)/g;

interface Parts {
  readonly family: string;
  readonly type: string;
  readonly content: string;
}

function partsOf(frame: Uint8Array): Parts {
  const [, family, type, content = ''] = MESSAGE.exec(toLatin1(frame)) ?? [];
  if (family === undefined || type === undefined) throw new CodecError('bad-text', 'no message of the family');
  return { family, type, content };
}

/** AP07 of a tracker answers the setting of its interval. */
const isAnswer = ({ family, type, content }: Parts): boolean =>
  family === 'TRV' && (type === 'AP07' || SILENT.includes(type)) && ANSWER_OF_TRACKER.test(content);

/** The type with its first letter raised by one, between the family and the end. */
function replyTo(parts: Parts, now: number): Reply[] {
  const { family, type, content } = parts;
  const head = family + String.fromCharCode(type.charCodeAt(0) + 1) + type.slice(1);
  // the time of the server, by which the device sets its clock; IW with its zone
  if (type === 'AP00')
    return [
      storedReply(fromLatin1(family === 'IW' ? `${head},${utcToDigits(now)},0#` : `${head}${utcToDigits(now)}#`)),
    ];
  if (family !== 'IW' && type === 'AP14') return [storedReply(fromLatin1(`${head},0.000,0.000#`))];
  // with the kind of the measurement
  const kind = type === 'APJK' ? MEASUREMENT.exec(content)?.[1] : undefined;
  if (kind !== undefined) return [storedReply(fromLatin1(`${head},${kind}#`))];
  if (isAnswer(parts) || SILENT.includes(type) || /^,\d{6}$/.test(content)) return [];
  return [storedReply(fromLatin1(`${head}#`))];
}

function readFall(content: string): Message {
  const m = FALL.exec(content);
  if (m === null) throw new CodecError('bad-text', 'no fall');
  const epoch = m[1] ?? '';
  const time = epoch === '' ? undefined : Number(epoch) * (epoch.length === 10 ? 1_000 : 1);
  return statusPosition({ alarm: 'fallDown' }, time);
}

function readSleep(content: string): Message {
  const [, sleepPeriod, sleepStates] = SLEEP.exec(content) ?? [];
  if (sleepStates === undefined) throw new CodecError('bad-text', 'no states of sleep');
  return statusPosition({ sleepPeriod: sleepPeriod!, sleepStates });
}

function readCells(content: string): Message {
  const [head = '', mcc = '', mnc = ''] = CELLS.exec(content) ?? [];
  if (head === '') throw new CodecError('bad-text', 'no cells');
  const record = new TextRecord();
  for (const [, lac, cid, rssi] of content.slice(head.length).matchAll(CELL)) {
    const level = -Math.abs(Number(rssi));
    record.draft.addCell({ mcc: Number(mcc), mnc: Number(mnc), lac: Number(lac), cid: Number(cid), rssi: level });
  }
  accessPointsOf(content.slice(head.length), record);
  return record.toPosition();
}

/** The cell of a tracker that asks where it is. */
function readCell(content: string): Message {
  const [mcc, mnc, lac, cid] = (ONE_CELL.exec(content) ?? []).slice(1).map(Number);
  if (cid === undefined) throw new CodecError('bad-text', 'no cell');
  return statusPosition({}, undefined, { cells: [{ mcc: mcc!, mnc: mnc!, lac: lac!, cid }] });
}

function readCellOfWeather(content: string): Message {
  const [mcc, mnc, lac, cid, level] = (CELL_OF_WEATHER.exec(content) ?? []).slice(1).map(Number);
  if (level === undefined) throw new CodecError('bad-text', 'no cell');
  const rssi = -Math.abs(level);
  return statusPosition({}, undefined, { cells: [{ mcc: mcc!, mnc: mnc!, lac: lac!, cid: cid!, rssi }] });
}

/** A battery that is low, or a watch that was taken off or put on. */
function readState(type: string, content: string): Message {
  const [, digits] = (type === 'AP04' ? LEVEL : WORN).exec(content) ?? [];
  if (digits === undefined) throw new CodecError('bad-text', 'no state');
  const number = Number(digits);
  if (type === 'APWR') return statusPosition(number === 0 ? { alarm: 'removing' } : {});
  const attributes: Attributes = { batteryLevel: number };
  if (number <= LOW_BATTERY) attributes['alarm'] = 'lowBattery';
  return statusPosition(attributes);
}

function addCells(content: string, { draft }: TextRecord): void {
  for (const [, ...texts] of content.matchAll(MORE_CELLS)) {
    const [mcc, mnc, lac, cid, level] = texts.map(Number);
    draft.addCell({ mcc: mcc!, mnc: mnc!, lac: lac!, cid: cid!, rssi: -Math.abs(level!) });
  }
}

function readCards(content: string): Message {
  const iccid = CARDS.exec(content)?.[1];
  if (iccid === undefined) throw new CodecError('bad-text', 'no number of a card');
  return statusPosition({ iccid });
}

/** Zero is a value that was not measured. */
function readHealth(keys: readonly string[], content: string): Message {
  const attributes: Attributes = {};
  const texts = content.split(',').slice(1);
  for (const [index, key] of keys.entries()) {
    const number = Number(texts[index] ?? '');
    if (/^\d{1,3}(?:\.\d{1,2})?$/.test(texts[index] ?? '') && number > 0) attributes[key] = number;
  }
  return statusPosition(attributes);
}

/** Time of the wearer's zone, kind, value. */
function readMeasurement(content: string): Message {
  const [, kind = '', texts = ''] = MEASUREMENT.exec(content) ?? [];
  const keys = Object.hasOwn(MEASUREMENTS, kind) ? MEASUREMENTS[kind] : undefined;
  if (keys === undefined) throw new CodecError('bad-text', 'no measurement');
  return readHealth(keys, `,${texts.replace('|', ',')}`);
}

/** Some watches (IW) send day, month and year: no position is of a later day than today. */
function correctDay(record: TextRecord, content: string, now: number): void {
  if (record.day === undefined || record.day <= now + DAY_MS) return;
  const [day, month, year] = /^,?(\d\d)(\d\d)(\d\d)/.exec(content)!.slice(1).map(Number);
  readOptional(() => {
    const other = exactUtcFromParts(year!, month!, day!, 0, 0, 0);
    if (other <= now + DAY_MS) record.day = other;
  });
}

function readBy(grammar: Grammar, content: string, now?: number): Message {
  const record = matchRecord(grammar, content);
  if (now !== undefined) correctDay(record, content, now);
  // a receiver that has not found a place sends zeros
  if (!record.valid && record.latitude === 0 && record.longitude === 0) {
    if (record.day !== undefined) record.draft.deviceTime = record.day + record.timeOfDay;
    record.latitude = undefined;
  }
  accessPointsOf(content, record);
  addCells(content, record);
  return record.toPosition();
}

function read(parts: Parts, now: number): Message {
  const { family, type, content } = parts;
  const login = type === 'AP00' ? LOGIN.exec(content)?.[1] : undefined;
  if (login !== undefined) return { type: 'login', ids: [login] };
  if (POSITIONS.includes(type)) return readBy(POSITION, content, family === 'IW' ? now : undefined);
  if (type === 'CP01') return readBy(HEARTBEAT, content);
  if (type === 'YP16') return readBy(SIGNALS_ONLY, content);
  if (type === 'AP03' && STEPS(content, new TextRecord()) > 0) return readBy(STEPS, content);
  if (type === 'AP02') return readCells(content);
  if ((type === 'AP06' || type === 'AP14') && ONE_CELL.test(content)) return readCell(content);
  // whether voice messages wait here
  if (type === 'AP05' && /^,\d$/.test(content)) return { type: 'heartbeat' };
  if (type === 'AP97') return readSleep(content);
  if (type === 'APFD') return readFall(content);
  if (type === 'YP02') return readCards(content);
  if (type === 'APJK') return readMeasurement(content);
  if (type === 'APTQ') return readCellOfWeather(content);
  if (type === 'AP04' || type === 'APWR') return readState(type, content);
  const keys = Object.hasOwn(HEALTH, type) ? HEALTH[type] : undefined;
  if (keys !== undefined) return readHealth(keys, content);
  if (ANSWER.test(content) || isAnswer(parts) || type === 'XP02') return textAnswer(`${family}${type}${content}`);
  throw new CodecError('unknown-type', `message ${type} is not known`);
}

export function decode(frame: Uint8Array, { state, now }: DecodeContext<WatchState>): Decoded<WatchState> {
  const piece = filePiece(frame);
  if (piece !== undefined)
    return { ...readFile(piece, state, now), replies: [storedTextReply(acknowledgeFile(piece))] };
  const parts = partsOf(frame);
  const replies = replyTo(parts, now);
  const [, id, versionFw] = (parts.type === 'APVR' ? VERSION.exec(parts.content) : null) ?? [];
  if (id === undefined) return { state, messages: [read(parts, now)], replies };
  return { state, messages: [{ type: 'login', ids: [id] }, statusPosition({ versionFw: versionFw! })], replies };
}

/** Messages of other types are kept raw. */
export function acknowledgeUndecoded(frame: Uint8Array, { now }: DecodeContext<WatchState>): Reply[] {
  const piece = filePiece(frame);
  if (piece !== undefined) return [storedTextReply(acknowledgeFile(piece))];
  return MESSAGE.test(toLatin1(frame)) ? replyTo(partsOf(frame), now) : [];
}
