import {
  crc8Nrsc5,
  crc16CcittFalse,
  readLengthPrefixed,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toHex,
  Writer,
} from '#codec';

/** Written out here once more: the device's side does not lean on the server's. */
function envelope(serial: number, service: number, content: Uint8Array): Uint8Array {
  const data = new Writer()
    .u16LE(content.length)
    .u16LE(serial & 0xffff)
    .u8(0)
    .u8(service)
    .u8(service)
    .raw(content)
    .finish();
  const head = new Writer().u8(1).u8(0).u8(2).u8(11).u8(0).u16LE(data.length).u16LE(serial).u8(1);
  return head.u8(crc8Nrsc5(head.finish())).raw(data).u16LE(crc16CcittFalse(data)).finish();
}

const item = (type: number, content: Writer): Uint8Array =>
  new Writer().u8(type).u16LE(content.length).raw(content.finish()).finish();

const EPOCH_MS = Date.UTC(2010, 0, 1);
const scaled = (degrees: number, full: number): number => Math.round((Math.abs(degrees) / full) * 0xffff_ffff);

function position(fix: SimulatedFix): Uint8Array {
  const flags = 0x93 | (fix.latitude < 0 ? 0x20 : 0) | (fix.longitude < 0 ? 0x40 : 0);
  const course = Math.round(fix.course);
  const content = new Writer()
    .u32LE((fix.time - EPOCH_MS) / 1000)
    .u32LE(scaled(fix.latitude, 90))
    .u32LE(scaled(fix.longitude, 180))
    .u8(flags)
    .u16LE(Math.round(fix.speed * 10) | (course > 255 ? 0x8000 : 0))
    .u8(course)
    .u16LE(1)
    .u8(0) // 100 m
    .u8(fix.ignition ? 1 : 0)
    .u8(fix.ignition ? 0 : 5)
    .u16LE(520)
    .u8(0);
  return item(16, content);
}

function meaning(frame: Uint8Array): ServerMessage {
  if (frame[9] === 0) return frame[19] === 2 ? { type: 'acknowledged', reports: 1 } : { type: 'other' };
  const isResult = frame[16] === 1 && frame[18] === 9;
  if (!isResult) return { type: 'command', text: toHex(frame), frame };
  return { type: frame[21] === 0 ? 'admitted' : 'refused' };
}

/** A terminal of one object, with the services of authentication, teledata and commands. */
function sizeOf(buffer: Uint8Array): number {
  const data = buffer[5]! | (buffer[6]! << 8);
  return buffer[3]! + (data === 0 ? 0 : data + 2);
}

export const simulator: Simulator = {
  login: (deviceId, serial) =>
    envelope(serial, 1, item(1, new Writer().u32LE(1).u8(0x02).latin1(deviceId.padEnd(15, '\0').slice(0, 15)))),
  report: (fixes, _deviceId, serial) => envelope(serial, 2, position(fixes[0]!)),
  read: readLengthPrefixed(11, sizeOf, meaning),
  // Confirmation of the command with its number.
  answer: (_frame, outcome, _deviceId, serial) =>
    envelope(
      serial,
      4,
      item(
        51,
        new Writer()
          .u8(0x10 | (outcome === 'done' ? 0 : 1))
          .u32LE(1)
          .u32LE(0)
          .u8(0),
      ),
    ),
};
