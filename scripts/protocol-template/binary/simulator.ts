import { meaningByType, readLengthPrefixed, type Simulator, toLatin1, u16At, Writer } from '#codec';
import { seal, TYPE } from './frame.ts';

const microdegrees = (degrees: number): number => Math.round(degrees * 1_000_000);

/** Type of a message and the first byte of its body: the type that it acknowledges. Other messages are commands. */
const KINDS = { 0x8101: 'admitted', 0x8102: 'acknowledged', 0x8103: 'acknowledged' } as const;
const textOf = (packet: Uint8Array): string => toLatin1(packet, 5, packet.length - 2);
const meaning = meaningByType((packet) => u16At(packet, 4), KINDS, textOf);

// TODO simulator: the device's side, from the vendor's document.
export const simulator: Simulator = {
  fixesPerReport: 10,
  login: (deviceId) => seal(new Writer().u8(TYPE.login).latin1(deviceId.padStart(15, '0'))),
  report(fixes) {
    const body = new Writer().u8(TYPE.positions);
    for (const { time, latitude, longitude, speed, course, ignition } of fixes) {
      body.u32LE(time / 1000).u8(ignition ? 0x03 : 0x01);
      body.u32LE(microdegrees(latitude)).u32LE(microdegrees(longitude));
      body.u16LE(0).u16LE(Math.round(speed * 10));
      body.u16LE(course).u16LE(12_600);
    }
    return seal(body);
  },
  heartbeat: () => seal(new Writer().u8(TYPE.heartbeat)),
  answer: (_, outcome) => seal(new Writer().u8(TYPE.answer).latin1(outcome === 'done' ? '\x01done' : '\x00no')),
  read: readLengthPrefixed(4, (buffer) => 6 + buffer[2]! + buffer[3]! * 256, meaning),
};
