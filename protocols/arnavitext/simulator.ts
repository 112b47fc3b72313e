import { fromLatin1, minutesOfDegrees, type SimulatedFix, type Simulator, toHex, xor8 } from '#codec';

/** `$AV,V4`: voltages, movement, ignition, inputs, satellites, heights, time, place, knots, course, date. */
function report(fix: SimulatedFix, id: string, serial: number): Uint8Array {
  const clock = new Date(fix.time).toISOString();
  const time = clock.slice(11, 19).replaceAll(':', '');
  const date = clock.slice(8, 10) + clock.slice(5, 7) + clock.slice(2, 4);
  const ignition = fix.ignition ? 1 : 0;
  const place = `${minutesOfDegrees(fix.latitude, 2)}${fix.latitude < 0 ? 'S' : 'N'},${minutesOfDegrees(fix.longitude, 3)}${fix.longitude < 0 ? 'W' : 'E'}`;
  const head = `AV,V4,${id},${serial},1260,410,-1,${ignition},${ignition},192,0,0,0,0,1,9,120.0,45.0`;
  const text = `${head},${time},${place},${(fix.speed / 1.852).toFixed(1)},${fix.course.toFixed(1)},${date},0,0,0,0,SF`;
  const sum = xor8(fromLatin1(text)).toString(16).toUpperCase().padStart(2, '0');
  return fromLatin1(`$${text}*${sum}\r\n`);
}

export const simulator: Simulator = {
  report: ([fix], deviceId, serial) => report(fix!, deviceId, serial),
  fixesPerReport: 1,
  acknowledges: false,
  read(buffer) {
    if (buffer.length === 0) return undefined;
    const frame = buffer.slice();
    return { bytes: frame.length, says: { type: 'command', text: toHex(frame), frame } };
  },
};
