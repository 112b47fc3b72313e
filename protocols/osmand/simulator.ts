import { KNOT_KMH, type SimulatedFix, type Simulator } from '#codec';
import { httpRequest, readHttpReply } from '#codec/http';

const request = (query: URLSearchParams): Uint8Array => httpRequest('POST', `/?${query}`);

/** Traccar Client up to version 8: one request a fix, speed in knots. */
export const simulator: Simulator = {
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
  read: readHttpReply,
};
