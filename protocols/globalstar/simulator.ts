import { fromLatin1, type Simulator } from '#codec';
import { httpRequest, readHttpReply } from '#codec/http';

/** The JSON of a back office, whose coordinates are texts. */
export const simulator: Simulator = {
  fixesPerReport: 10,
  report(fixes, esn) {
    const devices = fixes.map(({ time, latitude, longitude }) => ({
      gpsCoordinate: { latitude: latitude.toFixed(6), longitude: longitude.toFixed(6) },
      deviceIdentify: { esn, unixTime: time / 1_000 },
      deviceInfo: { messageType: 0, batteryStatus: 'Good', gpsDataValid: 'Valid' },
    }));
    const body = fromLatin1(JSON.stringify({ version: 1, resource: 'GPS Device', entry: { devices } }));
    return httpRequest('POST', '/', { 'content-type': 'application/json' }, body);
  },
  read: readHttpReply,
};
