import {
  asCommand,
  fromLatin1,
  readAll,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toLatin1,
} from '#codec';
import { utcToDigits } from '#codec/text';

function position({ time, latitude, longitude, speed, course }: SimulatedFix): string {
  const place = `${longitude.toFixed(6)},${latitude.toFixed(6)},${utcToDigits(time)}`;
  return `0,0,1,${speed.toFixed(1)},${Math.round(course)},70.0,1,${place},0460,0000,18d8,6141,00`;
}

const command = asCommand((frame) => toLatin1(frame));
const meaningOf = (frame: Uint8Array): ServerMessage =>
  toLatin1(frame).startsWith('+RESP:GTHBD') ? { type: 'other' } : command(frame);

export const simulator: Simulator = {
  report: (fixes, deviceId) =>
    fromLatin1(`+RESP:GTTRI,${deviceId},${fixes.length},${fixes.map(position).join(',')},11F0,0102100203\0`),
  heartbeat: (deviceId) => fromLatin1(`AT+GTHBD=HeartBeat,${deviceId},20240601120000,11F0,0102100203\0`),
  answer: (_, __, deviceId) => fromLatin1(`+ACK:GTRTO,${deviceId},CSQ,20240601120000,20240601120000,000a,0102100203\0`),
  fixesPerReport: 15,
  acknowledges: false,
  read: readAll(meaningOf),
};
