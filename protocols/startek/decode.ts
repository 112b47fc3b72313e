import {
  type Attributes,
  addAlarm,
  CodecError,
  type DecodeContext,
  type Decoded,
  type Message,
  type Network,
  type Position,
  positionOf,
  type Reply,
  readOptional,
  statusPosition,
  storedReply,
  textAnswer,
  toLatin1,
} from '#codec';
import { withSum } from '#codec/framing';
import { Fields, isDigits, parseDecimal, utcFromDigits } from '#codec/text';
import { ALARMS, DIAGNOSIS, DRIVER_EVENT, IGNITION_PLACE, LINES, type Value } from './elements.ts';

/** Without content the checksum follows the type. */
const HEAD = /^&&(.)\d{1,5},(\d{10,20}),([0-9A-Fa-f]{3})(?:,|(?=[0-9A-Fa-f]{2}(?:\r\n)?$))/;

export function decode(frame: Uint8Array, context: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame);
  const m = HEAD.exec(text);
  if (m === null) throw new CodecError('bad-text', 'not a message of the family', 0);
  const [head, flag, id, type] = m as unknown as [string, string, string, string];
  // two checksum digits, and the line end
  const end = text.endsWith('\r\n') ? text.length - 4 : text.length - 2;
  const messages = read(type, text.slice(head.length, end));
  return {
    state: context.state,
    messages: [{ type: 'login', ids: [id] }, ...messages],
    replies: answer(flag, id, type),
  };
}

const POSITION = '000';
/** The same, sent again until it is answered. */
const KEPT_POSITION = '010';
const SERIAL = '710';

/** By the flag of the message; the length counts what lies before the checksum. */
function answer(flag: string, id: string, type: string): readonly Reply[] {
  if (type !== KEPT_POSITION) return [];
  const text = `,${id},${type},1`;
  return [storedReply(withSum(`$$${flag}${text.length}${text}`))];
}

function read(type: string, content: string): Message[] {
  if (content === '') return [{ type: 'heartbeat' }];
  if (type === POSITION || type === KEPT_POSITION) return [readPosition(new Fields(content.split(',')))];
  if (type === SERIAL) return [readSerial(content)];
  return [statusPosition({ type, result: content }), textAnswer(`${type},${content}`)];
}

function readPosition(fields: Fields): Position {
  const event = fields.integer();
  const data = fields.text();
  const attributes: Attributes = { event };
  if (event !== DRIVER_EVENT) addAlarm(attributes, ALARMS.get(event));
  else if (data !== '') attributes['driverUniqueId'] = data;
  const digits = fields.text();
  if (!isDigits(digits, 12)) throw new CodecError('bad-text', `${digits.slice(0, 16)} is no time`);
  const time = utcFromDigits(`20${digits}`);
  const valid = fields.text() === 'A';
  const latitude = fields.number();
  const longitude = fields.number();
  attributes['sat'] = fields.integer();
  attributes['hdop'] = fields.number();
  const speed = fields.number();
  const course = fields.number();
  const altitude = fields.number();
  attributes['odometer'] = fields.integer();
  let network: Network | undefined;
  readOptional(() => {
    network = readCell(fields);
    const quality = fields.integer();
    if (quality !== UNKNOWN_QUALITY) attributes['rssi'] = quality;
    attributes['status'] = fields.hex();
    const input = fields.hex();
    attributes['input'] = input;
    attributes['ignition'] = (input & 2) !== 0;
    attributes['door'] = (input & 4) !== 0;
    attributes['output'] = fields.hex();
    readVoltages(fields.text(), attributes);
    readExtension(fields, attributes);
  });
  return positionOf({ time, valid, latitude, longitude, altitude, speed, course }, attributes, network);
}

/** Quality of the radio signal is what modems answer: 0 to 31, 99 where it is not known (3GPP TS 27.007, +CSQ). */
const UNKNOWN_QUALITY = 99;

function readCell(fields: Fields): Network {
  const cell = new Fields(fields.text().split('|'));
  const mcc = cell.integer();
  const mnc = cell.integer();
  const lac = cell.hex();
  const cid = cell.hex();
  return { cells: [{ mcc, mnc, lac, cid }] };
}

const INPUTS: readonly string[] = Array.from({ length: 32 }, (_, number) => `adc${number}`);

/** Supply, battery, inputs from the second on; hundredths of a volt, hexadecimal. */
function readVoltages(text: string, attributes: Attributes): void {
  const values = new Fields(text.split('|'));
  attributes['power'] = values.hex() / 100;
  attributes['battery'] = values.hex() / 100;
  for (let number = 2; values.left > 0 && number < 32; number++) attributes[INPUTS[number]!] = values.hex() / 100;
}

const LISTED = /^(\d\d)([0-9A-Fa-f]{1,8})$/;
const DRIVER_LENGTH = 20;
const DIGITS = /^\d{1,12}$/;

function readExtension(fields: Fields, attributes: Attributes): void {
  if (fields.optionalNumber() === undefined) return;
  for (const [index, value] of listOf(fields)) attributes[`fuel${index}`] = value / 10;
  for (const [index, value] of listOf(fields)) attributes[`temp${index}`] = signed(value) / 10;
  const diagnosis = fields.optionalText();
  if (diagnosis !== undefined) readDiagnosis(diagnosis, attributes);
  const driver = fields.peek() ?? '';
  if (driver.length >= DRIVER_LENGTH) attributes['driverUniqueId'] = fields.text();
  const seconds = fields.peek() ?? '';
  if (DIGITS.test(seconds)) attributes['hours'] = Number(seconds) * 1000;
}

/** Below zero trackers send a sign bit, or the complement: the other reading is thousands of degrees away. */
function signed(value: number): number {
  if ((value & 0x8000) === 0) return value & 0x7fff;
  return Math.max(0 - (value & 0x7fff), (value & 0xffff) - 0x1_0000);
}

/** Index in two decimal digits and value in hexadecimal, separated by `|`. */
function listOf(fields: Fields): [index: number, value: number][] {
  const found: [number, number][] = [];
  for (const entry of fields.optionalText()?.split('|') ?? []) {
    const m = LISTED.exec(entry);
    if (m !== null) found.push([Number(m[1]), Number.parseInt(m[2]!, 16)]);
  }
  return found;
}

function set(attributes: Attributes, { key, factor = 1, offset = 0 }: Value, text: string | undefined): void {
  const value = parseDecimal(text ?? '');
  if (value !== undefined) attributes[key] = value * factor + offset;
}

function readDiagnosis(text: string, attributes: Attributes): void {
  const values = text.split('|');
  for (const [at, value] of DIAGNOSIS.entries()) set(attributes, value, values[at]);
  const level = values[DIAGNOSIS.length];
  if (level?.endsWith('%')) set(attributes, { key: 'fuelLevel' }, level.slice(0, -1));
  if (level?.endsWith('L')) set(attributes, { key: 'fuel' }, level.slice(0, -1));
}

/** Lines of what is wired to the serial port. */
function readSerial(content: string): Position {
  const attributes: Attributes = {};
  for (const line of content.split('\r\n')) {
    const values = line.split(',');
    for (const [place, value] of LINES.get(values[0]!) ?? []) set(attributes, value, values[place]);
    const ignition = values[0] === 'T1' ? values[IGNITION_PLACE] : undefined;
    if (ignition === '0' || ignition === '1') attributes['ignition'] = ignition === '1';
  }
  return statusPosition(attributes);
}
