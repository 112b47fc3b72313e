import {
  asCommand,
  degreesWithLetters,
  fromLatin1,
  readAll,
  type SimulatedFix,
  type Simulator,
  toLatin1,
  xor8,
} from '#codec';
import { hexByte, utcToDdmmyyHhmmss } from '#codec/text';

function report(fix: SimulatedFix, deviceId: string): Uint8Array {
  const [date, time] = utcToDdmmyyHhmmss(fix.time);
  const movement = `${(fix.speed / 1.852).toFixed(3)},${fix.course.toFixed(2)}`;
  const sentence = `GPRMC,${time}.000,A,${degreesWithLetters(fix, 5)},${movement},${date},,,A`;
  return fromLatin1(`imei=${deviceId}&rmc=$${sentence}*${hexByte(xor8(fromLatin1(sentence)))},AUTO,3912,79\r\n`);
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  fixesPerReport: 1,
  acknowledges: false,
  read: readAll(asCommand(toLatin1)),
};
