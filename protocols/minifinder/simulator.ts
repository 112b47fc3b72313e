import { asCommand, fromLatin1, readAll, type SimulatedFix, type Simulator, toLatin1 } from '#codec';

function report({ time, latitude, longitude, speed, course }: SimulatedFix): Uint8Array {
  const at = new Date(time);
  const date = `${at.getUTCDate()}/${at.getUTCMonth() + 1}/${String(at.getUTCFullYear()).slice(2)}`;
  const clock = `${at.getUTCHours()}:${at.getUTCMinutes()}:${at.getUTCSeconds()}`;
  const place = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
  return fromLatin1(`!D,${date},${clock},${place},${speed.toFixed(1)},${course.toFixed(1)},1f0001,12.11,98,4,7,0;`);
}

export const simulator: Simulator = {
  login: (deviceId) => fromLatin1(`!1,${deviceId};`),
  report: ([fix]) => report(fix!),
  heartbeat: () => fromLatin1('!5,17,A;'),
  answer: (_, outcome) => fromLatin1(outcome === 'done' ? '!3,ok;' : '!3,error;'),
  acknowledges: false,
  read: readAll(asCommand(toLatin1)),
};
