import { fromLatin1, readLengthPrefixed, type Simulator, toLatin1, Writer } from '#codec';
import { packet } from './frame.ts';

// TODO simulator: the device's side, from the vendor's document.
export const simulator: Simulator = {
  fixesPerReport: 1,
  acknowledges: true,
  login: (deviceId) => packet(1, new Writer().hex(`0${deviceId}`).finish()),
  report([fix]) {
    const { time, latitude, longitude, speed, course, ignition } = fix!;
    const place = new Writer()
      .u32(time / 1000)
      .u32(Math.round(latitude * 1e6))
      .u32(Math.round(longitude * 1e6));
    return packet(
      2,
      place
        .u16(0)
        .u16(Math.round(speed * 10))
        .u16(course)
        .u8(ignition ? 1 : 0)
        .u16(12_600)
        .finish(),
    );
  },
  heartbeat: () => packet(3, new Uint8Array()),
  read: readLengthPrefixed(
    3,
    (buffer) => buffer[2]! + 5,
    (frame) => {
      if (frame[3] === 0x80) return frame[4] === 1 ? { type: 'admitted' } : { type: 'acknowledged', reports: 1 };
      if (frame[3] === 0x8f) return { type: 'refused' };
      return { type: 'command', text: toLatin1(frame, 4, frame.length - 2), frame };
    },
  ),
  answer: (_, outcome) => packet(4, Uint8Array.of(outcome === 'done' ? 1 : 0, ...fromLatin1('done'))),
};
