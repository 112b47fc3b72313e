import { asCommand, fromLatin1, readAll, type SimulatedFix, type Simulator, toHex } from '#codec';

const sentence = (deviceId: string, data: string): Uint8Array => fromLatin1(`*GS16,${deviceId},${data}#`);

/** hhmmssddmmyy, then place, cell, voltages, lines. */
function item({ time, latitude, longitude, speed, course, ignition }: SimulatedFix): string {
  const clock = new Date(time).toISOString();
  const digits = clock.slice(11, 19).replaceAll(':', '') + clock.slice(8, 10) + clock.slice(5, 7) + clock.slice(2, 4);
  const place = `${latitude < 0 ? 'S' : 'N'}${Math.abs(latitude).toFixed(6)};${longitude < 0 ? 'W' : 'E'}${Math.abs(longitude).toFixed(6)}`;
  const moving = `${Math.round(speed)};${Math.round(course) % 360};120;0.9;1.1`;
  return `${digits},,GPS:A;9;${place};${moving},COT:120000,ADC:12.60;4.10,DTT:0;${ignition ? '1' : '0'};0;0;0;1`;
}

/** Items of one sentence are separated by $. */
export const simulator: Simulator = {
  report: (fixes, deviceId) => sentence(deviceId, fixes.map(item).join('$')),
  fixesPerReport: 5,
  heartbeat: (deviceId) => fromLatin1(`*GS16,${deviceId}#`),
  read(buffer) {
    if (buffer.length < 4) return undefined;
    if (buffer.subarray(0, 4).every((byte, at) => byte === 0x31 + at)) {
      return { bytes: 4, message: { type: 'acknowledged', reports: 1 } };
    }
    return readAll(asCommand(toHex))(buffer);
  },
  answer: (_frame, outcome, deviceId) => sentence(deviceId, outcome === 'done' ? 'OK' : 'ERROR'),
};
