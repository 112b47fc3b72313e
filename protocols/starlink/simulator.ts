import { asCommand, fromLatin1, readAll, type SimulatedFix, type Simulator, sum8, toLatin1 } from '#codec';
import { ddmmFromDegrees, hexByte, utcToDigits } from '#codec/text';

const signed = (degrees: number, width: number): string => (degrees < 0 ? '-' : '+') + ddmmFromDegrees(degrees, width);

/** Type 06 in the format from the factory; the checksum is the sum. */
function report(
  { time, latitude, longitude, speed, course, ignition }: SimulatedFix,
  id: string,
  serial: number,
): Uint8Array {
  const clock = utcToDigits(time).slice(2);
  const place = `${signed(latitude, 2)},${signed(longitude, 3)},${(speed / 1.852).toFixed(1)},${Math.round(course) % 360}`;
  const on = ignition ? 1 : 0;
  const text = `$SLU${id},06,${serial},${clock},01,${clock},${place},120,${on},0,0,0,0,0,0,0,10443,32722,12.664,03.910,,${on},${on}`;
  return fromLatin1(`${text}*${hexByte(sum8(fromLatin1(text)))}\r\n`);
}

export const simulator: Simulator = {
  report: ([fix], deviceId, serial) => report(fix!, deviceId, serial),
  acknowledges: false,
  read: readAll(asCommand(toLatin1)),
};
