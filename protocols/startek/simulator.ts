import { readUntil, type ServerMessage, type SimulatedFix, type Simulator, toLatin1 } from '#codec';
import { withSum } from '#codec/framing';
import { utcToDigits } from '#codec/text';

/** The device's side, written from the protocol document: 000 reports, answers of the command's type. */
export const simulator: Simulator = {
  acknowledges: false,
  report: ([fix], deviceId, serial) => sentence(serial, deviceId, `000,${report(fix!)}`),
  read: readUntil('\n', (frame) => says(frame)),
  answer: (frame, _outcome, deviceId, serial) => {
    const [, , type = ''] = toLatin1(frame).split(',');
    return sentence(serial, deviceId, `${/^\d{3}$/.test(type) ? type : '801'},OK`);
  },
};

const says = (frame: Uint8Array): ServerMessage => ({ type: 'command', text: toLatin1(frame).slice(0, -4), frame });

function sentence(serial: number, id: string, content: string): Uint8Array {
  const counted = `,${id},${content}`;
  const text = `&&${String.fromCharCode(0x41 + (serial % 57))}${counted.length}${counted}`;
  return withSum(text);
}

/** Event 0, yymmddhhmmss, position, satellites, hdop, speed, course, height, distance, cell, lines, voltages. */
function report({ time, latitude, longitude, speed, course, ignition }: SimulatedFix): string {
  const clock = utcToDigits(time).slice(2);
  const moving = `9,0.8,${Math.round(speed)},${Math.round(course) % 360},510,326781`;
  const lines = `0000000F,${ignition ? '02' : '00'},00,04E2|018C|0000|0000,1,`;
  return `0,,${clock},A,${latitude.toFixed(6)},${longitude.toFixed(6)},${moving},262|1|27B3|0EA7,27,${lines}`;
}
