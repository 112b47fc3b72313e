import {
  degreesWithLetters,
  fromLatin1,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toLatin1,
} from '#codec';
import { utcToDdmmyyHhmmss } from '#codec/text';

const CR = 0x0d;
const LF = 0x0a;

/** The device's side, written from the H02 protocol document: text sentences V1, HTBT and V4. */
export const simulator: Simulator = {
  report: ([fix], deviceId) => {
    const [date, time] = utcToDdmmyyHhmmss(fix!.time);
    return fromLatin1(`*HQ,${deviceId},V1,${time},A,${place(fix!)},${date},${status(fix!)}#`);
  },
  heartbeat: (deviceId) => fromLatin1(`*HQ,${deviceId},HTBT,100#`),
  read: (buffer) => {
    const end = buffer.indexOf(0x23);
    if (end < 0) return undefined;
    const frame = buffer.subarray(0, end + 1);
    let bytes = end + 1;
    while (buffer[bytes] === CR || buffer[bytes] === LF) bytes += 1;
    return { bytes, message: says(toLatin1(frame), frame) };
  },
  answer: (frame, outcome, deviceId) => {
    const [, , name = '', time = ''] = toLatin1(frame).replace(/#.*$/s, '').split(',');
    const done = outcome === 'done' ? 'DONE' : 'ERROR';
    // no fix and no date: the moment of arrival counts
    return fromLatin1(`*HQ,${deviceId},V4,${name},${done},${time},,V,0000.0000,N,00000.0000,E,000.00,000,,FFFFFBFF#`);
  },
};

function says(text: string, frame: Uint8Array): ServerMessage {
  if (/^\*HQ,\d+,V4,V1,\d{14}#$/.test(text)) return { type: 'acknowledged', reports: 1 };
  if (/^\*HQ,\d+,(?:V4,NBR|R12|HTBT|V0)[,#]/.test(text)) return { type: 'other' };
  return { type: 'command', text, frame };
}

function place({ latitude, longitude, speed, course }: SimulatedFix): string {
  const knots = (speed / 1.852).toFixed(2).padStart(6, '0');
  return `${degreesWithLetters({ latitude, longitude })},${knots},${String(Math.round(course) % 360).padStart(3, '0')}`;
}

/** Bit 10 set: ignition; every alarm bit at rest. */
const status = (fix: SimulatedFix): string => (fix.ignition ? 'FFFFFFFF' : 'FFFFFBFF');
