import { type ServerMessage, type SimulatedFix, type Simulator, toLatin1 } from '#codec';
import { withSum } from '#codec/framing';
import { utcToDigits } from '#codec/text';

/** The device's side, written from the GPRS protocol document: AAA reports, AAC handshakes, answers `OK`. */
export const simulator: Simulator = {
  acknowledges: false,
  report: ([fix], deviceId, serial) => sentence(flag(serial), deviceId, `AAA,${report(fix!)}`),
  heartbeat: (deviceId, serial) => sentence(flag(serial), deviceId, 'AAC,1'),
  read: (buffer) => {
    const comma = buffer.indexOf(0x2c);
    if (comma < 0) return undefined;
    const bytes = comma + Number(toLatin1(buffer, 3, comma));
    if (!(bytes <= buffer.length)) return undefined;
    const frame = buffer.slice(0, bytes);
    return { bytes, message: says(frame) };
  },
  answer: (frame, outcome, deviceId) => {
    const [, , command = 'A10'] = toLatin1(frame)
      .replace(/\*..\r\n$/, '')
      .split(',');
    const name = /^[A-Z]\d\d$/.test(command) ? command : 'E91';
    return sentence(String.fromCharCode(frame[2]!), deviceId, `${name},${outcome === 'done' ? 'OK' : 'Error'}`);
  },
};

const flag = (serial: number): string => String.fromCharCode(0x41 + (serial % 57));

function sentence(sign: string, id: string, content: string): Uint8Array {
  const text = `$$${sign}${1 + id.length + 1 + content.length + 5},${id},${content}*`;
  return withSum(text);
}

/** Event 35 (interval), position, yymmddhhmmss, valid, satellites, signal, speed, course, hdop, height … */
function report({ time, latitude, longitude, speed, course, ignition }: SimulatedFix): string {
  const clock = utcToDigits(time).slice(2);
  const where = `${latitude.toFixed(6)},${longitude.toFixed(6)},${clock},A,9,20`;
  const lines = ignition ? '0400' : '0000';
  const moving = `${Math.round(speed)},${Math.round(course) % 360},0.9,510,32121,442492`;
  return `35,${where},${moving},262|2|12DF|015273E2,${lines},0000|0000|0000|018D|04F0,,,1,0000`;
}

function says(frame: Uint8Array): ServerMessage {
  const text = toLatin1(frame);
  if (/^@@z27,\d+,AAC,1/.test(text)) return { type: 'other' };
  return { type: 'command', text: text.replace(/\*..\r\n$/, ''), frame };
}
