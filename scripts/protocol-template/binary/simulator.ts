import { fromLatin1, Writer } from '#codec';
import type { PacketProtocol } from '#codec/binary';

// TODO simulator: the device's side, from the vendor's document.
export const simulator: PacketProtocol['simulator'] = {
  login: (deviceId) => [1, new Writer().hex(`0${deviceId}`)],
  report({ time, latitude, longitude, speed, course, ignition }) {
    const body = new Writer().u32(time / 1000).u32(Math.round(latitude * 1e6));
    body.u32(Math.round(longitude * 1e6)).u16(0);
    body.u16(Math.round(speed * 10)).u16(course);
    return [2, body.u8(ignition ? 1 : 0).u16(12_600)];
  },
  heartbeat: () => [3],
  answer: (outcome) => [4, new Writer().u8(outcome === 'done' ? 1 : 0).raw(fromLatin1('done'))],
  read(type, body) {
    if (type === 0x80) return body.u8() === 1 ? 'admitted' : 'acknowledged';
    return type === 0x8f ? 'refused' : 'command';
  },
};
