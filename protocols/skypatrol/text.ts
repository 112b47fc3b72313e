import type { Message } from '#codec';
import { capture, gga, grammar, hex, number, optional, rmc, TextRecord } from '#codec/text';

/** The number of the event that its author chose, and the id of the device. */
const HEAD = /^ *(\d{1,10}) +([\w-]{1,20}) /;

/** A number at the right of a field of so many characters. */
const column = (width: number): string => `[ \\d]{${width - 1}}\\d`;

/** What stands between the id and the sentences: inputs and outputs, voltages of inputs, the number of the cause. */
const BEFORE = grammar(
  optional(' ', capture(column(6), number('io1'))),
  optional(' ', capture(column(5), number('adc1'))),
  optional(' ', capture(column(5), number('adc2'))),
  optional(' ?', capture(`${column(3)}|\\d{1,2}`, number('event'))),
  '(?: \\$?GP| *$)',
);

const GGA = grammar(gga);
const RMC = grammar('GPRMC,', rmc, ',');

/** What stands behind the sentences: percent of the battery, metres, millivolts, the number of the message. */
const BEHIND = grammar(
  optional(' ', capture(' [ \\d]\\d|100', number('batteryLevel'))),
  optional(' ', capture(column(11), number('odometer'))),
  optional(' ', capture(column(5), number('power', { divisor: 1000 }))),
  optional(' ', capture('[0-9A-F]{4}', hex('index'))),
  '\\s*$',
);
const CHECKSUM = /\*[0-9A-F]{2}(?=[^*]{0,80}$)/;

/** A place that the receiver had before is marked by a 9, where a sentence has A or V. */
const asNmea = (text: string): string => text.replace(/(GPRMC,[\d.]{6,10}),9,/, '$1,V,');

/** The messages of an event in text, or of the one that wakes the way to the server; undefined if it does not begin as one. */
export function textMessages(text: string, isEvent: boolean): Message[] | undefined {
  const head = HEAD.exec(text);
  if (head === null) return undefined;
  const login: Message = { type: 'login', ids: [head[2]!] };
  const rmcAt = text.indexOf('GPRMC,');
  if (!isEvent && rmcAt < 0) return [login, { type: 'heartbeat' }];
  const record = new TextRecord();
  record.draft.attributes['status'] = Number(head[1]);
  BEFORE(text.slice(head[0].length), record);
  const ggaAt = text.indexOf('GPGGA,');
  if (ggaAt >= 0) GGA(text.slice(ggaAt), record);
  if (rmcAt >= 0) RMC(asNmea(text.slice(rmcAt)), record);
  const checksum = CHECKSUM.exec(text);
  if (checksum !== null) BEHIND(text.slice(checksum.index + 3), record);
  return [login, record.toPosition()];
}
