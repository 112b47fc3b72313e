import {
  degreesWithLetters,
  fromLatin1,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toLatin1,
} from '#codec';
import { utcToDdmmyyHhmmss } from '#codec/text';

/** The comma form, which has room for an IMEI; the ignition is reported by the type. */
function report({ time, latitude, longitude, speed, course, ignition }: SimulatedFix, id: string): Uint8Array {
  const [date, clock] = utcToDdmmyyHhmmss(time);
  const place = degreesWithLetters({ latitude, longitude }, 4, '');
  const moving = `${speed.toFixed(1).padStart(5, '0')},${clock},${course.toFixed(1)}`;
  return fromLatin1(`(${id},${ignition ? 'ZC15' : 'ZC16'},${date},A,${place},${moving},00000000,L00000000)`);
}

const says = (text: string, frame: Uint8Array): ServerMessage =>
  /AP0(?:1HSO|5)\)$/.test(text) ? { type: 'admitted' } : { type: 'command', text, frame };

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  acknowledges: false,
  read(buffer) {
    const end = buffer.indexOf(0x29);
    const other = end < 0 ? toLatin1(buffer).indexOf('[end]') + 4 : end;
    if (other < 4) return undefined;
    const frame = buffer.slice(0, other + 1);
    return { bytes: other + 1, message: says(toLatin1(frame), frame) };
  },
  answer: (_frame, outcome, deviceId) =>
    fromLatin1(`(${deviceId},ZC03,010624,101112,$${outcome === 'done' ? 'OK' : 'ERROR'}$)`),
};
