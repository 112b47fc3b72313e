import {
  asCommand,
  degreesWithLetters,
  fromLatin1,
  readAll,
  type SimulatedFix,
  type Simulator,
  toLatin1,
} from '#codec';

function report(fix: SimulatedFix, id: string): Uint8Array {
  const at = new Date(fix.time).toISOString();
  const clock = `${at.slice(11, 19)} ${at.slice(8, 10)}-${at.slice(5, 7)}-${at.slice(2, 4)}`;
  const movement = `${(fix.speed / 1.852).toFixed(1).padStart(5, '0')},${fix.course.toFixed(1).padStart(5, '0')}`;
  return fromLatin1(`${id},05*850,000,L001,A,${degreesWithLetters(fix)},${movement},00.8,${clock},9.00,D3,0,C4,1,,,,`);
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  acknowledges: false,
  read: readAll(asCommand(toLatin1)),
};
