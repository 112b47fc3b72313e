import {
  asCommand,
  degreesWithLetters,
  fromLatin1,
  readUntil,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toLatin1,
} from '#codec';
import { utcToDigits } from '#codec/text';

const END = 0x23;

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

const command = asCommand(toLatin1);

function meaningOf(frame: Uint8Array): ServerMessage {
  const text = toLatin1(frame);
  if (text.startsWith('TRVBP00')) return { type: 'admitted' };
  if (text === 'TRVBP01#') return { type: 'acknowledged', reports: 1 };
  return text === 'TRVDP01#' ? { type: 'other' } : command(frame);
}

export const simulator: Simulator = {
  login: (deviceId) => fromLatin1(`TRVAP00${deviceId}#`),
  report: ([fix]) => report(fix!),
  heartbeat: () => fromLatin1('TRVCP01,06000908000102#'),
  answer: (frame) => fromLatin1(`TRVAP${toLatin1(frame, 5, 7)},080835#`),
  fixesPerReport: 1,
  acknowledges: true,
  read: readUntil(END, meaningOf),
};
