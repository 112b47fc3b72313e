import { degreesWithLetters, fromLatin1, meaningByText, readAll, type SimulatedFix, type Simulator } from '#codec';
import { utcToDigits } from '#codec/text';

const LOGGED_IN = /^\*\d{12}DX06/;

/** What every message begins with: date and time of the device, and a type. */
const head = (time: number, type: string): string => `*${utcToDigits(time).slice(2)}${type}`;

function report(fix: SimulatedFix, id: string): Uint8Array {
  const clock = utcToDigits(fix.time).slice(2);
  const place = degreesWithLetters(fix, 4, '').replace(',', '');
  const knots = (fix.speed / 1.852).toFixed(1).padStart(5, '0');
  const course = fix.course.toFixed(2).padStart(6, '0');
  const rest = `${clock.slice(6)}A${place}${knots}${clock.slice(0, 6)}${course}00000000L000000^`;
  return fromLatin1(head(fix.time, `UB05${id}`) + rest);
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  heartbeat: () => fromLatin1(`${head(Date.UTC(2024, 0, 1), 'UB00HSO')}^`),
  // commands have no end of their own
  read: readAll(meaningByText({ acknowledged: LOGGED_IN })),
};
