import { readUntil, type ServerMessage, type SimulatedFix, type Simulator, toLatin1 } from '#codec';
import { utcToDigits } from '#codec/text';
import { sentence } from './frame.ts';

/** The device's side, written from the protocol document: A01 reports, B answers. */
export const simulator: Simulator = {
  acknowledges: false,
  report: ([fix], deviceId, serial) =>
    sentence('$$', deviceId, `${serial.toString(16).toUpperCase()},A01,${report(fix!)}`),
  read: readUntil('\n', (frame) => says(frame)),
  answer: (_frame, outcome, deviceId) => sentence('$$', deviceId, `1,B03,${outcome === 'done' ? 'OK' : 'ERROR'}`),
};

const says = (frame: Uint8Array): ServerMessage => {
  const text = toLatin1(frame).slice(0, -5);
  return /,(?:A03|D06),/.test(text) ? { type: 'other' } : { type: 'command', text, frame };
};

/** No alarm, yymmddhhmmss, position, speed, course, height, distance, engine time, status, lines, cell, inputs. */
function report({ time, latitude, longitude, speed, course }: SimulatedFix): string {
  const clock = utcToDigits(time).slice(2);
  const moving = `${Math.round(speed)},${Math.round(course) % 360},510,366959,345180`;
  return `,${clock},A,${latitude.toFixed(6)},${longitude.toFixed(6)},${moving},900000C0,02,0,262|1|FA8|1A9B5B9,9DE|141,1,`;
}
