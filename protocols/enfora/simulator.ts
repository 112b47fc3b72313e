import {
  asCommand,
  degreesWithLetters,
  fromLatin1,
  readLengthPrefixed,
  type SimulatedFix,
  type Simulator,
  toLatin1,
  Writer,
} from '#codec';
import { utcToDdmmyyHhmmss } from '#codec/text';

const HEAD_BYTES = 6;
const EVENT = 4;
const STATUS = 2;
const AT_RESPONSE = 5;

const message = (number: number, type: number, content: string): Uint8Array =>
  new Writer()
    .u16(HEAD_BYTES + content.length)
    .u16(number)
    .u8(type)
    .u8(0)
    .raw(fromLatin1(content))
    .finish();

const head = (id: string): string => `${'8'.padStart(9, ' ')}${id.padStart(22, ' ')} 13 `;

function report(fix: SimulatedFix, id: string): Uint8Array {
  const [date, time] = utcToDdmmyyHhmmss(fix.time);
  const movement = `${(fix.speed / 1.852).toFixed(2)},${fix.course.toFixed(1)}`;
  const sentence = `$GPRMC,${time}.00,A,${degreesWithLetters(fix, 6)},${movement},${date},,,A*52\r\n`;
  return message(EVENT, STATUS, head(id) + sentence);
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  heartbeat: (deviceId) => message(10, 8, head(deviceId)),
  answer: (_, outcome) => message(0, AT_RESPONSE, outcome === 'done' ? '\r\nOK\r\n' : '\r\nERROR\r\n'),
  fixesPerReport: 1,
  acknowledges: false,
  read: readLengthPrefixed(
    2,
    (buffer) => buffer[0]! * 256 + buffer[1]!,
    asCommand((frame) => toLatin1(frame, HEAD_BYTES)),
  ),
};
