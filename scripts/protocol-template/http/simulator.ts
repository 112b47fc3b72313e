import type { Simulator } from '#codec';
import { httpRequest, readHttpReply } from '#codec/http';

const request = (query: string): Uint8Array => httpRequest('GET', `/acme?${query}`);

// TODO simulator: the device's side, from the vendor's document.
export const simulator: Simulator = {
  report([fix], deviceId) {
    const { time, latitude, longitude, speed, course, ignition } = fix!;
    const place = `lat=${latitude.toFixed(6)}&lon=${longitude.toFixed(6)}&altitude=0&speed=${speed}&course=${course}`;
    return request(`id=${deviceId}&time=${time / 1000}&${place}&ignition=${ignition ? 1 : 0}`);
  },
  heartbeat: (deviceId) => request(`id=${deviceId}`),
  read: readHttpReply,
};
