import { fromLatin1, type ServerMessage, type SimulatedFix, type Simulator, toLatin1 } from '#codec';

const VERSION = '060100';

/** The device's side, written from the @Track document of the GV300: FRI reports with several fixes, GTHBD, +ACK. */
export const simulator: Simulator = {
  fixesPerReport: 15,
  acknowledges: false,
  report: (fixes, deviceId, serial) => {
    const last = fixes[fixes.length - 1]!;
    const status = last.ignition ? '210100' : '110000';
    const places = fixes.map((fix) => `${place(fix)},`).join('');
    return fromLatin1(
      `+RESP:GTFRI,${VERSION},${deviceId},,,10,${fixes.length},${places}0.0,,,,100,${status},,,,` +
        `${digits(last.time)},${count(serial)}$`,
    );
  },
  heartbeat: (deviceId, serial) => fromLatin1(`+ACK:GTHBD,${VERSION},${deviceId},,20240601120000,${count(serial)}$`),
  read: (buffer) => {
    const end = buffer.indexOf(0x24);
    if (end < 0) return undefined;
    const frame = buffer.subarray(0, end + 1);
    return { bytes: end + 1, message: says(toLatin1(frame), frame) };
  },
  answer: (frame, _outcome, deviceId, serial) => {
    // AT+GTRTO=<password>,…,<serial>$ → +ACK:GTRTO with that serial. The protocol has no refusal.
    const text = toLatin1(frame);
    const name = /^AT\+(GT[A-Z]{3})=/.exec(text)?.[1] ?? 'GTRTO';
    const echoed = /,([0-9A-F]{4})\$$/.exec(text)?.[1] ?? 'FFFF';
    return fromLatin1(`+ACK:${name},${VERSION},${deviceId},,${echoed},20240601120000,${count(serial)}$`);
  },
};

function says(text: string, frame: Uint8Array): ServerMessage {
  if (/^\+SACK:[0-9A-F]{4}\$$/.test(text)) return { type: 'acknowledged', reports: 1 };
  if (text.startsWith('+SACK:')) return { type: 'other' };
  return { type: 'command', text, frame };
}

const count = (serial: number): string => (serial & 0xffff).toString(16).toUpperCase().padStart(4, '0');

/** yyyymmddhhmmss, UTC */
const digits = (epochMs: number): string => new Date(epochMs).toISOString().replace(/\D/g, '').slice(0, 14);

/** hdop, speed, course, altitude, longitude, latitude, time, cell, reserved */
function place({ time, latitude, longitude, speed, course }: SimulatedFix): string {
  const where = `${longitude.toFixed(6)},${latitude.toFixed(6)},${digits(time)}`;
  return `1,${speed.toFixed(1)},${Math.round(course) % 360},70.0,${where},0460,0000,18d8,6141,00`;
}
