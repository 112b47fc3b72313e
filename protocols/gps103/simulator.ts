import {
  degreesWithLetters,
  fromLatin1,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toLatin1,
} from '#codec';
import { utcToDigits } from '#codec/text';

/** The device's side, written from the GPS103 protocol document. Server messages have no end mark. */
export const simulator: Simulator = {
  acknowledges: false,
  login: (deviceId) => fromLatin1(`##,imei:${deviceId},A;`),
  report: ([fix], deviceId) => fromLatin1(sentence(deviceId, 'tracker', fix!)),
  heartbeat: (deviceId) => fromLatin1(`${deviceId};`),
  read: (buffer) => {
    const text = toLatin1(buffer);
    if (text.startsWith('LOAD')) return { bytes: 4, message: { type: 'admitted' } };
    if (text.startsWith('ON')) return { bytes: 2, message: { type: 'other' } };
    if (!/^\*\*,imei:\d+,./.test(text)) return undefined;
    const next = text.indexOf('**,', 3);
    const frame = next < 0 ? buffer.slice() : buffer.slice(0, next);
    return { bytes: frame.length, message: says(frame) };
  },
  answer: (frame, _outcome, deviceId) => {
    // `J` is answered by a report whose keyword is `jt`; there is no refusal.
    const letter = /,([A-Z])(?:,|$)/.exec(toLatin1(frame))?.[1] ?? 'E';
    const fix = { time: 1_717_243_200_000, latitude: 48.1, longitude: 11.6, speed: 0, course: 0, ignition: false };
    return fromLatin1(sentence(deviceId, `${letter.toLowerCase()}t`, fix));
  },
};

function says(frame: Uint8Array): ServerMessage {
  const text = toLatin1(frame);
  return text.endsWith(',E;') ? { type: 'other' } : { type: 'command', text, frame };
}

function sentence(
  id: string,
  keyword: string,
  { time, latitude, longitude, speed, course, ignition }: SimulatedFix,
): string {
  const digits = utcToDigits(time).slice(2);
  const moving = `${(speed / 1.852).toFixed(2)},${course.toFixed(2)},,${ignition ? 1 : 0},0,0.00%,,+20`;
  return `imei:${id},${keyword},${digits},,F,${digits.slice(6)}.000,A,${degreesWithLetters({ latitude, longitude }, 5)},${moving};`;
}
