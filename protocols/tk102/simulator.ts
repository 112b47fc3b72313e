import {
  degreesWithLetters,
  fromLatin1,
  readLengthPrefixed,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toHex,
} from '#codec';
import { utcToDdmmyyHhmmss } from '#codec/text';
import { write } from './frame.ts';

const serialOf = (serial: number): Uint8Array => fromLatin1(String(serial).padStart(10, '0'));

function report(fix: SimulatedFix, serial: number): Uint8Array {
  const [date, time] = utcToDdmmyyHhmmss(fix.time);
  const place = degreesWithLetters(fix, 4, '').replace(',', '');
  const knots = (fix.speed / 1.852).toFixed(3).padStart(7, '0');
  return write(0x90, serialOf(serial), fromLatin1(`(ONE${time}A${place}${knots}${date}0100000000)`));
}

function meaningOf(frame: Uint8Array): ServerMessage {
  if (frame[1] === 0x00) return { type: 'admitted' };
  return frame[1] === 0xff ? { type: 'other' } : { type: 'command', text: toHex(frame), frame };
}

export const simulator: Simulator = {
  login: (deviceId) => write(0x80, serialOf(0), fromLatin1(deviceId)),
  report: ([fix], _, serial) => report(fix!, serial),
  heartbeat: (deviceId) => write(0xf0, serialOf(0), fromLatin1(deviceId)),
  acknowledges: false,
  read: readLengthPrefixed(13, (head) => head[12]! + 14, meaningOf),
};
