import { asCommand, fromLatin1, readLengthPrefixed, type SimulatedFix, type Simulator, toLatin1, Writer } from '#codec';
import { rmcSentence } from '#codec/text';

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

const report = (fix: SimulatedFix, id: string): Uint8Array =>
  message(EVENT, STATUS, `${head(id)}$${rmcSentence(fix, 6)}\r\n`);

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  heartbeat: (deviceId) => message(10, 8, head(deviceId)),
  answer: (_, outcome) => message(0, AT_RESPONSE, outcome === 'done' ? '\r\nOK\r\n' : '\r\nERROR\r\n'),
  acknowledges: false,
  read: readLengthPrefixed(
    2,
    (buffer) => buffer[0]! * 256 + buffer[1]!,
    asCommand((frame) => toLatin1(frame, HEAD_BYTES)),
  ),
};
