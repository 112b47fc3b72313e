import { type Simulator, toLatin1 } from '#codec';
import { httpRequest, readHttpResponse } from '#codec/http';

const request = (query: string): Uint8Array => httpRequest('GET', `/acme?${query}`);

// TODO simulator: the device's side, from the vendor's document.
export const simulator: Simulator = {
  fixesPerReport: 1,
  acknowledges: true,
  report([fix], deviceId) {
    const { time, latitude, longitude, speed, course, ignition } = fix!;
    const place = `lat=${latitude.toFixed(6)}&lon=${longitude.toFixed(6)}&altitude=0&speed=${speed}&course=${course}`;
    return request(`id=${deviceId}&time=${time / 1000}&${place}&ignition=${ignition ? 1 : 0}`);
  },
  heartbeat: (deviceId) => request(`id=${deviceId}`),
  read(buffer) {
    const response = readHttpResponse(buffer);
    if (response === undefined) return undefined;
    const { bytes, status, body } = response;
    if (status !== 200) return { bytes, message: { type: 'refused' } };
    if (body.length === 0) return { bytes, message: { type: 'acknowledged', reports: 1 } };
    return { bytes, message: { type: 'command', text: toLatin1(body), frame: buffer.slice(0, bytes) } };
  },
};
