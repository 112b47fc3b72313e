import { asCommand, fromLatin1, readAll, type SimulatedFix, type Simulator, toLatin1 } from '#codec';

/** The newer layout; the ignition is reported by the event. */
function report({ time, latitude, longitude, speed, course, ignition }: SimulatedFix, deviceId: string): Uint8Array {
  const clock = new Date(time).toISOString();
  const when = `${clock.slice(0, 10).replaceAll('-', '/')},${clock.slice(11, 19)}`;
  const mph = (speed / 0.868976 / 1.852).toFixed(2);
  const event = ignition ? 4001 : 4002;
  const place = `${latitude.toFixed(5)},${longitude.toFixed(5)},120.0,${mph},0.0,0.0,0,${course.toFixed(1)}`;
  return fromLatin1(`$$${deviceId},${event},${when},${place},9,0.9,75,0.0,12.6,21,1,1,0##`);
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  acknowledges: false,
  read: readAll(asCommand(toLatin1)),
};
