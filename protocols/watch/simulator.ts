import { fromLatin1, readUntil, type ServerMessage, type SimulatedFix, type Simulator, toLatin1 } from '#codec';
import { utcToDdmmyyHhmmss } from '#codec/text';

/** The watch's side, written from the protocol document: UD reports, LK links, commands repeated as their answer. */
export const simulator: Simulator = {
  acknowledges: false,
  report: ([fix], deviceId) => message(deviceId, `UD,${report(fix!)}`),
  heartbeat: (deviceId) => message(deviceId, 'LK,50,100,80'),
  read: readUntil(']', (frame) => says(toLatin1(frame), frame)),
  answer: (frame, outcome, deviceId) => {
    const content = contentOf(toLatin1(frame));
    const word = content.split(',', 1)[0]!;
    if (word === 'TK') return message(deviceId, `TK,${outcome === 'done' ? 1 : 0}`);
    return message(deviceId, /^[A-Z]+\d?$/.test(word) ? word : 'VERNO,1.0');
  },
};

const message = (id: string, content: string): Uint8Array =>
  fromLatin1(`[3G*${id}*${content.length.toString(16).padStart(4, '0').toUpperCase()}*${content}]`);

const contentOf = (text: string): string => text.slice(1, -1).split('*').at(-1)!;

function says(text: string, frame: Uint8Array): ServerMessage {
  const content = contentOf(text);
  return /^(?:LK|AL|TKQ2?|INIT,1|JXTKR,1)$/.test(content)
    ? { type: 'other' }
    : { type: 'command', text: content, frame };
}

/** Date, time, position, speed, course, height, satellites, signal, battery, steps, tumbles, status, one cell. */
function report({ time, latitude, longitude, speed, course }: SimulatedFix): string {
  const north = `${Math.abs(latitude).toFixed(6)},${latitude < 0 ? 'S' : 'N'}`;
  const east = `${Math.abs(longitude).toFixed(6)},${longitude < 0 ? 'W' : 'E'}`;
  const moving = `${speed.toFixed(2)},${course.toFixed(1)},510.0,9,80,90,1000,50,00000000`;
  return `${utcToDdmmyyHhmmss(time).join(',')},A,${north},${east},${moving},1,1,262,1,9360,4082,131,0`;
}
