import {
  asCommand,
  degreesWithLetters,
  fromLatin1,
  readAll,
  type SimulatedFix,
  type Simulator,
  toHex,
  toLatin1,
  xor8,
} from '#codec';
import { hexByte, utcToDdmmyyHhmmss } from '#codec/text';

/** `$AV,V4`: voltages, movement, ignition, inputs, satellites, heights, time, place, knots, course, date. */
function report(fix: SimulatedFix, id: string, serial: number): Uint8Array {
  const [date, time] = utcToDdmmyyHhmmss(fix.time);
  const ignition = fix.ignition ? 1 : 0;
  const head = `AV,V4,${id},${serial},1260,410,-1,${ignition},${ignition},192,0,0,0,0,1,9,120.0,45.0`;
  const text = `${head},${time},${degreesWithLetters(fix, 4, '')},${(fix.speed / 1.852).toFixed(1)},${fix.course.toFixed(1)},${date},0,0,0,0,SF`;
  const sum = hexByte(xor8(fromLatin1(text)));
  return fromLatin1(`$${text}*${sum}\r\n`);
}

const OK = 'RCPTOK\r\n';
const RECEIVED = { bytes: OK.length, message: { type: 'acknowledged', reports: 1 } } as const;
const isReceived = (buffer: Uint8Array): boolean => toLatin1(buffer, 0, Math.min(buffer.length, OK.length)) === OK;

export const simulator: Simulator = {
  report: ([fix], deviceId, serial) => report(fix!, deviceId, serial),
  read: (buffer) => (isReceived(buffer) ? RECEIVED : readAll(asCommand(toHex))(buffer)),
};
