import { asCommand, degreesWithLetters, fromLatin1, readAll, type SimulatedFix, type Simulator, toHex } from '#codec';
import { utcToDdmmyyHhmmss } from '#codec/text';

function report(fix: SimulatedFix, id: string): Uint8Array {
  const [date, time] = utcToDdmmyyHhmmss(fix.time);
  const movement = `${(fix.speed / 1.852).toFixed(3)},${fix.course.toFixed(2)},137.9,1.5`;
  const state = '460,07,262C,0F54,25,0000,0000,0,0,0,28.5,28.3,,,100,Timer;!';
  return fromLatin1(
    `$MGV002,${id},,R,${date},${time},A,${degreesWithLetters(fix, 5)},00,03,00,1.20,${movement},${state}`,
  );
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  fixesPerReport: 1,
  acknowledges: false,
  read: readAll(asCommand((frame) => toHex(frame))),
};
