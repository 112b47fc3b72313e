import {
  type Answer,
  type Attributes,
  type Cell,
  type DecodeContext,
  degreesFromMinutes,
  type Message,
  type Position,
  positionOf,
  statusPosition,
  withHemisphere,
} from '#codec';
import { utcFromDdmmyyHhmmss, utcToDigits } from '#codec/text';
import { KNOT_KMH } from './elements.ts';
import { readFix, readStatus } from './fix.ts';
import type { H02State } from './frame.ts';

/** What a sentence means; `reply` is the text that the device waits for. */
export interface Sentence {
  readonly messages: readonly Message[];
  readonly reply?: string;
}

/** Undefined if the text does not have the layout of its type. */
export type ReadSentence = (text: string, id: string, context: DecodeContext<H02State>) => Sentence | undefined;

const NEIGHBOURS =
  /^\*..,\d{0,20},NBR,(\d{6}),(\d{1,4}),(\d{1,4}),\d{1,6},\d{1,4},((?:\d{1,10},\d{1,10},-?\d{1,5},){1,64})(\d{6}),([0-9A-Fa-f]{8})/;
const LINK = /^\*..,\d{0,20},LINK,(\d{6}),(\d{1,6}),(\d{1,6}),(\d{1,6}),(\d{1,9}),(\d{1,9}),(\d{6}),([0-9A-Fa-f]{8})/;
const CELLS =
  /^\*..,\d{0,20},V3,(\d{6}),(\d{3})(\d{1,3}),(\d{1,3}),((?:\d{1,10},\d{1,10},-?\d{0,6},-?\d{0,6},){0,32})([0-9A-Fa-f]{4}),\d{1,6},X,(\d{6}),([0-9A-Fa-f]{8})/;
const VP1_CELLS = /^\*hq,\d{15},VP1,V,(\d{1,4}),(\d{1,4}),((?:\d{1,10},\d{1,10},-?\d{1,5}Y?){1,64})/;
const VP1_FIX =
  /^\*hq,\d{15},VP1,[AB],(\d{0,4})(\d\d\.\d{1,12}),([NS]),(\d{0,4})(\d\d\.\d{1,12}),([EW]),(\d{1,5}\.\d{0,6}),(\d{1,5}\.\d{0,6}),(\d{6})/;
const HEARTBEAT_LEVEL = /^\*HQ,\d{15},HTBT,(\d{1,3})\D/;
const TEXT_ANSWER = /^\*HQ,\d{0,20},SMS,(.*)#/s;
/** The supply in the state of an ST-906. */
const VOLTS_IN_TEXT = /\bVOLT:(\d{1,3}(?:\.\d{1,3})?)V/;
const ANSWER_ALONE = /^\*..,\d{0,20},V4,(.*)#$/s;

const outdated = (attributes: Attributes, deviceTime?: number, cells: readonly Cell[] = []): Position =>
  statusPosition(attributes, deviceTime, { cells });

const alone = (position: Position): Sentence => ({ messages: [position] });

const withStatus = (status: string, attributes: Attributes): Attributes => {
  readStatus(Number.parseInt(status, 16), attributes);
  return attributes;
};

/** Signal strengths come without their sign from some, with it from others. */
const negative = (signal: string): number => (Number(signal) > 0 ? -Number(signal) : Number(signal));

/** The device lists a cell as often as it hears it. */
function distinct(cells: readonly Cell[]): Cell[] {
  const seen = new Set<string>();
  return cells.filter((cell) => {
    const key = `${cell.lac},${cell.cid},${cell.rssi}`;
    return !seen.has(key) && seen.add(key);
  });
}

const neighbours: ReadSentence = (text, id, context) => {
  const m = NEIGHBOURS.exec(text);
  if (m === null) return undefined;
  const fields = m[4]!.split(',');
  const cells: Cell[] = [];
  for (let i = 0; i + 2 < fields.length; i += 3) cells.push(cell(m[2]!, m[3]!, fields, i));
  const position = outdated(withStatus(m[6]!, {}), utcFromDdmmyyHhmmss(m[5]!, m[1]!), distinct(cells));
  return { messages: [position], ...(id === '' ? {} : { reply: acknowledgement(id, 'NBR', context.now) }) };
};

const cell = (mcc: string, mnc: string, fields: readonly string[], at: number): Cell => ({
  mcc: Number(mcc),
  mnc: Number(mnc),
  lac: Number(fields[at]),
  cid: Number(fields[at + 1]),
  rssi: negative(fields[at + 2]!),
});

const acknowledgement = (id: string, type: string, now: number): string => `*HQ,${id},V4,${type},${utcToDigits(now)}#`;

const link: ReadSentence = (text) => {
  const m = LINK.exec(text);
  if (m === null) return undefined;
  const attributes = {
    rssi: Number(m[2]),
    sat: Number(m[3]),
    batteryLevel: Number(m[4]),
    steps: Number(m[5]),
    turnovers: Number(m[6]),
  };
  return alone(outdated(withStatus(m[8]!, attributes), utcFromDdmmyyHhmmss(m[7]!, m[1]!)));
};

/** Steps of the converter to volts (H02 document: 0256 hexadecimal are 3.27 V). */
const V3_VOLTS = 5.6 / 1024;

/** V3: `count` cells of four fields: lac, cid, level, dBm, of which the last is often empty or 0. */
const cellsOfV3: ReadSentence = (text) => {
  const m = CELLS.exec(text);
  if (m === null) return undefined;
  const fields = m[5]!.split(',');
  const count = Math.min(Number(m[4]), (fields.length - 1) / 4);
  const cells: Cell[] = [];
  for (let i = 0; i < count; i++) {
    const [lac, cid, , dbm] = fields.slice(4 * i).map(Number) as [number, number, number, number];
    cells.push({ mcc: Number(m[2]), mnc: Number(m[3]), lac, cid, ...(dbm < 0 ? { rssi: dbm } : {}) });
  }
  const battery = Math.round(Number.parseInt(m[6]!, 16) * V3_VOLTS * 100) / 100;
  const attributes = withStatus(m[8]!, { battery });
  return alone(outdated(attributes, utcFromDdmmyyHhmmss(m[7]!, m[1]!), distinct(cells)));
};

const vp1: ReadSentence = (text) => {
  const m = VP1_CELLS.exec(text);
  if (m === null) return vp1Fix(text);
  const cells = m[3]!
    .split('Y')
    .filter((group) => group !== '')
    .map((group) => cell(m[1]!, m[2]!, group.split(','), 0));
  return alone(outdated({}, undefined, distinct(cells)));
};

function vp1Fix(text: string): Sentence | undefined {
  const m = VP1_FIX.exec(text);
  if (m === null) return undefined;
  const fix = {
    time: utcFromDdmmyyHhmmss(m[9]!, '000000'),
    valid: true,
    latitude: withHemisphere(degreesFromMinutes(Number(m[1]), Number(m[2])), m[3]),
    longitude: withHemisphere(degreesFromMinutes(Number(m[4]), Number(m[5])), m[6]),
    speed: Number(m[7]) * KNOT_KMH,
    course: Number(m[8]) % 360,
  };
  return alone(positionOf(fix, {}));
}

const heartbeat: ReadSentence = (text) => {
  const type = text.indexOf(',', 4) + 1;
  const end = text.indexOf(',', type);
  const reply = `${text.slice(0, end < 0 ? text.indexOf('#', type) : end)}#`;
  const level = HEARTBEAT_LEVEL.exec(text);
  const message: Message = level === null ? { type: 'heartbeat' } : outdated({ batteryLevel: Number(level[1]) });
  return { messages: [message], reply };
};

const answered = (text: string): Answer => ({
  type: 'answer',
  outcome: /(?:^|,)ERROR(?:,|$)/.test(text) ? 'refused' : 'done',
  text,
});

/** Letter and digits, such as S20, or SCF; with what the firmware puts elsewhere, nothing is compared. */
const ANSWERED_COMMAND = /^([A-Z]\d{1,3}|SCF)(?:,|$)/i;

/** V4 begins with the name of the command. */
function answeredByName(text: string): Answer {
  const name = ANSWERED_COMMAND.exec(text)?.[1];
  return name === undefined ? answered(text) : { ...answered(text), command: name.toUpperCase() };
}

const sms: ReadSentence = (text) => {
  const m = TEXT_ANSWER.exec(text);
  if (m === null) return undefined;
  const volts = VOLTS_IN_TEXT.exec(m[1]!);
  const supply = volts === null ? {} : { power: Number(volts[1]) };
  return { messages: [outdated({ result: m[1]!, ...supply }), answered(m[1]!)] };
};

/** V1, V2, V5, V6, V8 …: a fix; V4: the answer to a command, with the fix of that moment. */
export const general: ReadSentence = (text, id, context) => {
  const fix = readFix(text, context.options, context.now);
  if (fix === undefined) return answerAlone(text);
  const { position, result } = fix;
  const messages = result === undefined ? [position] : [position, answeredByName(result)];
  const isFirst = text.startsWith('V1,', text.indexOf(',', 4) + 1);
  if (id === '' || (isFirst && position.outdated)) return { messages };
  if (isFirst) return { messages, reply: acknowledgement(id, 'V1', context.now) };
  return context.options['ack'] === true ? { messages, reply: confirmation(id, context.now) } : { messages };
};

function answerAlone(text: string): Sentence | undefined {
  const m = ANSWER_ALONE.exec(text);
  return m === null ? undefined : { messages: [outdated({ result: m[1]! }), answeredByName(m[1]!)] };
}

/** R12: general acknowledgement, for devices that are set to want one. */
export const confirmation = (id: string, now: number): string => `*HQ,${id},R12,${utcToDigits(now).slice(8)}#`;

/** By the third field. Types that begin with V and are not here are general. */
export const SENTENCES: ReadonlyMap<string, ReadSentence> = new Map([
  ['V0', heartbeat],
  ['HTBT', heartbeat],
  ['NBR', neighbours],
  ['LINK', link],
  ['V3', cellsOfV3],
  ['VP1', vp1],
  ['SMS', sms],
]);
