import { fromLatin1, type Simulator } from '#codec';
import { httpRequest, readHttpReply } from '#codec/http';

const MAX_FIXES = 20;

export const simulator: Simulator = {
  fixesPerReport: MAX_FIXES,
  report(fixes, ident) {
    const messages = fixes.map(({ time, latitude, longitude, speed, course, ignition }) => ({
      ident,
      timestamp: time / 1_000,
      'position.latitude': latitude,
      'position.longitude': longitude,
      'position.speed': speed,
      'position.direction': course,
      'engine.ignition.status': ignition,
    }));
    const body = fromLatin1(JSON.stringify(messages));
    return httpRequest('POST', '/', { 'content-type': 'application/json' }, body);
  },
  read: readHttpReply,
};
