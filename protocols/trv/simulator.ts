import {
  degreesWithLetters,
  fromLatin1,
  meaningByText,
  readUntil,
  type SimulatedFix,
  type Simulator,
  toLatin1,
} from '#codec';
import { utcToDigits } from '#codec/text';

function report(fix: SimulatedFix): Uint8Array {
  const digits = utcToDigits(fix.time);
  const place = degreesWithLetters(fix, 4, '').replace(',', '');
  const speed = fix.speed.toFixed(1).padStart(5, '0');
  const course = fix.course.toFixed(2).padStart(6, '0');
  const state = `060009080${fix.ignition ? 1 : 2}0102`;
  return fromLatin1(
    `TRVAP01${digits.slice(2, 8)}A${place}${speed}${digits.slice(8)}${course}${state},460,0,9520,3671#`,
  );
}

const meaningOf = meaningByText({ admitted: /^TRVBP00/, acknowledged: /^TRVBP01#$/, other: /^TRVDP01#$/ });

export const simulator: Simulator = {
  login: (deviceId) => fromLatin1(`TRVAP00${deviceId}#`),
  report: ([fix]) => report(fix!),
  heartbeat: () => fromLatin1('TRVCP01,06000908000102#'),
  answer: (frame) => fromLatin1(`TRVAP${toLatin1(frame, 5, 7)},080835#`),
  read: readUntil('#', meaningOf),
};
