import { degreesWithLetters, readUntil, type SimulatedFix, type Simulator, toLatin1 } from '#codec';
import { utcToDdmmyyHhmmss } from '#codec/text';
import { SENTENCES } from './sentences.ts';

const LF = 0x0a;

/** The lower-case letter asks for an acknowledgement. */
function report(fix: SimulatedFix, id: string): Uint8Array {
  const [date, time] = utcToDdmmyyHhmmss(fix.time);
  const movement = `${(fix.speed / 1.852).toFixed(2)},${fix.course.toFixed(2)}`;
  return SENTENCES.write(`AVRMC,${id},${time},a,${degreesWithLetters(fix)},${movement},${date},0,3727,17,1,0,0`);
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  heartbeat: (deviceId) => SENTENCES.write(`ECHK,${deviceId},0`),
  fixesPerReport: 1,
  acknowledges: true,
  read: readUntil(LF, (frame) => {
    const text = toLatin1(frame);
    if (text.startsWith('$EAVACK')) return { type: 'acknowledged', reports: 1 };
    return text.startsWith('$ECHK') ? { type: 'other' } : { type: 'command', text: text.trim(), frame };
  }),
};
