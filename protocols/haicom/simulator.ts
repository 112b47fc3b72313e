import { asCommand, fromLatin1, readAll, type SimulatedFix, type Simulator, toLatin1 } from '#codec';
import { utcToDigits } from '#codec/text';

const digits = (n: number, width: number): string => String(Math.round(n)).padStart(width, '0');

/** Degrees, then thousandths of a minute. */
function place(degrees: number, width: number): string {
  const thousandths = Math.round(Math.abs(degrees) * 60_000);
  return digits(Math.floor(thousandths / 60_000), width) + digits(thousandths % 60_000, 5);
}

function report({ time, latitude, longitude, speed, course }: SimulatedFix, id: string): Uint8Array {
  const clock = utcToDigits(time).slice(2);
  const flags = 1 + (longitude < 0 ? 0 : 2) + (latitude < 0 ? 0 : 4);
  const where = `${flags}${place(latitude, 2)}${place(longitude, 3)}`;
  const movement = `${digits((speed / 1.852) * 10, 4)},${digits(course * 10, 4)}`;
  return fromLatin1(
    `$GPRS${id},602S19A,${clock.slice(0, 6)},${clock.slice(6)},${where},${movement},000001,,,1,00#V040*`,
  );
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  acknowledges: false,
  read: readAll(asCommand(toLatin1)),
};
