import { asCommand, fromLatin1, readAll, type SimulatedFix, type Simulator, toLatin1 } from '#codec';
import { utcToDdmmyyHhmmss } from '#codec/text';

function report({ time, latitude, longitude, speed, course }: SimulatedFix, id: string): Uint8Array {
  const [date, clock] = utcToDdmmyyHhmmss(time);
  const east = `${Math.abs(longitude).toFixed(6)},${longitude < 0 ? 'W' : 'E'}`;
  const north = `${Math.abs(latitude).toFixed(6)},${latitude < 0 ? 'S' : 'N'}`;
  const movement = `${(speed / 1.852).toFixed(2)},${course.toFixed(2)}`;
  return fromLatin1(`#${id}#1000#1#0000#AUT#1#260001a412966f#${east},${north},${movement}#${date}#${clock}##`);
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  acknowledges: false,
  read: readAll(asCommand(toLatin1)),
};
