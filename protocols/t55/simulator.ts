import {
  asCommand,
  degreesWithLetters,
  fromLatin1,
  readAll,
  type SimulatedFix,
  type Simulator,
  toHex,
  xor8,
} from '#codec';
import { hexByte, utcToDdmmyyHhmmss } from '#codec/text';

function report(fix: SimulatedFix, id: string): Uint8Array {
  const [date, time] = utcToDdmmyyHhmmss(fix.time);
  const movement = `${(fix.speed / 1.852).toFixed(2)},${fix.course.toFixed(2)}`;
  const content = `GPRMC,${time}.000,A,${degreesWithLetters(fix)},${movement},${date},,,A`;
  return fromLatin1(`${id}$${content}*${hexByte(xor8(fromLatin1(content)))}\r\n`);
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  heartbeat: (deviceId) => fromLatin1(`$IMEI=${deviceId}\r\n`),
  fixesPerReport: 1,
  acknowledges: false,
  read: readAll(asCommand((frame) => toHex(frame))),
};
