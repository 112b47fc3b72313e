import { degreesWithLetters, meaningByText, readUntil, type SimulatedFix, type Simulator, toLatin1 } from '#codec';
import { utcToDdmmyyHhmmss } from '#codec/text';
import { write } from './frame.ts';

/** The lower-case letter asks for an acknowledgement. */
function report(fix: SimulatedFix, id: string): Uint8Array {
  const [date, time] = utcToDdmmyyHhmmss(fix.time);
  const movement = `${(fix.speed / 1.852).toFixed(2)},${fix.course.toFixed(2)}`;
  return write(`AVRMC,${id},${time},a,${degreesWithLetters(fix)},${movement},${date},0,3727,17,1,0,0`);
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  heartbeat: (deviceId) => write(`ECHK,${deviceId},0`),
  read: readUntil(
    '\n',
    meaningByText({ acknowledged: /^\$EAVACK/, other: /^\$ECHK/ }, (frame) => toLatin1(frame).trim()),
  ),
};
