import { type ServerMessage, type SimulatedFix, type Simulator, toHex, Writer } from '#codec';
import { contentOf, packet, publication, sizeOf, text, withSum } from './packets.ts';

const KEEP_ALIVE_S = 60;

function login(id: string): Uint8Array {
  const head = new Writer().raw(text('MQTT')).u8(4).u8(2).u16(KEEP_ALIVE_S);
  return packet(0x10, head.raw(text(id)).finish());
}

function report(
  { time, latitude, longitude, speed, course, ignition }: SimulatedFix,
  id: string,
  serial: number,
): Uint8Array {
  const sensors = new Writer().u32LE(time / 1_000);
  sensors.u8(14).u16LE(0).f32LE(latitude).f32LE(longitude).u16LE(Math.round(speed));
  sensors.u8(9).u8(8).u16LE(Math.round(course)).u16LE(120);
  sensors.u8(ignition ? 1 : 0).u16LE(0x6d);
  const record = sensors.finish();
  const payload = new Writer().u8(2).u8(1).u16LE(record.length).raw(record).finish();
  return publication(`${id}/DATA`, (serial % 0xffff) + 1, withSum(payload));
}

function meaningOf(frame: Uint8Array): ServerMessage {
  const type = frame[0]! >> 4;
  if (type === 2) return { type: frame[3] === 0 ? 'admitted' : 'refused' };
  if (type === 4) return { type: 'acknowledged', reports: 1 };
  return type === 3 ? { type: 'command', text: toHex(frame), frame } : { type: 'other' };
}

/** The number of the packet stands behind the topic. */
function answer(frame: Uint8Array): Uint8Array {
  const content = contentOf(frame);
  content.skip(content.u16());
  return packet(0x40, content.view(2));
}

export const simulator: Simulator = {
  login,
  report: ([fix], id, serial) => report(fix!, id, serial),
  heartbeat: () => packet(0xc0, new Uint8Array()),
  answer,
  read(buffer) {
    const size = buffer.length === 0 ? undefined : sizeOf(buffer);
    if (size === undefined || buffer.length < size) return undefined;
    const frame = buffer.slice(0, size);
    return { bytes: size, message: meaningOf(frame) };
  },
};
