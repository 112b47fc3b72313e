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
import { hexByte, utcToDdmmyyHhmmss, utcToDigits } from '#codec/text';

function report(fix: SimulatedFix, id: string): Uint8Array {
  const [date, time] = utcToDdmmyyHhmmss(fix.time);
  const movement = `${(fix.speed / 1.852).toFixed(2)},${fix.course.toFixed(2)}`;
  const sentence = `GPRMC,${time}.000,A,${degreesWithLetters(fix)},${movement},${date},,,A`;
  const checked = `${sentence}*${hexByte(xor8(fromLatin1(sentence)))}`;
  const state = 'F:4.11V,0,132,40512,460,01,2533,720B';
  return fromLatin1(`${utcToDigits(fix.time).slice(2)},,${checked},F,, imei:${id},05,50.1,${state}\r\n`);
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  fixesPerReport: 1,
  acknowledges: false,
  read: readAll(asCommand((frame) => toLatin1(frame))),
};
