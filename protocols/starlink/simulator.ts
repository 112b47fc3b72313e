import { fromLatin1, type SimulatedFix, type Simulator, sum8, toLatin1 } from '#codec';

const minutes = (degrees: number, digits: number): string => {
  const total = Math.round(Math.abs(degrees) * 600_000);
  const whole = Math.floor(total / 600_000);
  const rest = ((total - whole * 600_000) / 10_000).toFixed(4).padStart(7, '0');
  return `${degrees < 0 ? '-' : '+'}${String(whole).padStart(digits, '0')}${rest}`;
};

/** Type 06 in the format from the factory; the checksum is the sum. */
function report(
  { time, latitude, longitude, speed, course, ignition }: SimulatedFix,
  id: string,
  serial: number,
): Uint8Array {
  const clock = new Date(time).toISOString().replace(/\D/g, '').slice(2, 14);
  const place = `${minutes(latitude, 2)},${minutes(longitude, 3)},${(speed / 1.852).toFixed(1)},${Math.round(course) % 360}`;
  const on = ignition ? 1 : 0;
  const text = `$SLU${id},06,${serial},${clock},01,${clock},${place},120,${on},0,0,0,0,0,0,0,10443,32722,12.664,03.910,,${on},${on}`;
  return fromLatin1(`${text}*${sum8(fromLatin1(text)).toString(16).toUpperCase().padStart(2, '0')}\r\n`);
}

export const simulator: Simulator = {
  report: ([fix], deviceId, serial) => report(fix!, deviceId, serial),
  fixesPerReport: 1,
  acknowledges: false,
  read(buffer) {
    if (buffer.length === 0) return undefined;
    const frame = buffer.slice();
    return { bytes: frame.length, says: { type: 'command', text: toLatin1(frame), frame } };
  },
};
