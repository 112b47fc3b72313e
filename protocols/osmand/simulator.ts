import { KNOT_KMH, type SimulatedFix, type Simulator, toLatin1 } from '#codec';
import { httpRequest, readHttpResponse } from '#codec/http';

const request = (query: URLSearchParams): Uint8Array => httpRequest('POST', `/?${query}`);

/** Traccar Client up to version 8: one request a fix, speed in knots. */
export const simulator: Simulator = {
  fixesPerReport: 1,
  acknowledges: true,
  report([fix], deviceId) {
    const { time, latitude, longitude, speed, course, ignition } = fix as SimulatedFix;
    return request(
      new URLSearchParams({
        id: deviceId,
        timestamp: String(time / 1000),
        lat: latitude.toFixed(7),
        lon: longitude.toFixed(7),
        speed: (speed / KNOT_KMH).toFixed(5),
        bearing: String(course),
        ignition: String(ignition),
        batt: '80',
      }),
    );
  },
  heartbeat: (deviceId, serial) => request(new URLSearchParams({ id: deviceId, event: String(serial) })),
  read(buffer) {
    const response = readHttpResponse(buffer);
    if (response === undefined) return undefined;
    const { bytes, status, body } = response;
    if (status !== 200) return { bytes, message: { type: 'refused' } };
    if (body.length === 0) return { bytes, message: { type: 'acknowledged', reports: 1 } };
    return { bytes, message: { type: 'command', text: toLatin1(body), frame: buffer.slice(0, bytes) } };
  },
};
