import { crc16Modbus, Reader, type ServerMessage, type SimulatedFix, type Simulator, Writer } from '#codec';

function envelope(body: Uint8Array): Uint8Array {
  const writer = new Writer().u8(0x01).u16LE(body.length).raw(body);
  return writer.crc16LE(crc16Modbus).finish();
}

const identity = (deviceId: string): Writer =>
  new Writer().u8(0x03).latin1(deviceId.padStart(15, '0').slice(-15)).u8(0x04).u16LE(100);

function record(writer: Writer, fix: SimulatedFix, index: number): void {
  writer
    .u8(0x10)
    .u16LE(index)
    .u8(0x20)
    .u32LE(fix.time / 1000);
  writer
    .u8(0x30)
    .u8(0x0b)
    .u32LE(Math.round(fix.latitude * 1_000_000))
    .u32LE(Math.round(fix.longitude * 1_000_000));
  writer
    .u8(0x33)
    .u16LE(Math.round(fix.speed * 10))
    .u16LE(Math.round(fix.course * 10));
  // Bit 9 of the status: the engine runs.
  writer
    .u8(0x34)
    .u16LE(520)
    .u8(0x35)
    .u8(9)
    .u8(0x40)
    .u16LE(fix.ignition ? 0x0200 : 0)
    .u8(0x41)
    .u16LE(13_100);
}

/** Number of the command (E0) and its text (E1), behind the identity. */
function commandOf(frame: Uint8Array): { number: number; text: string } {
  const reader = new Reader(frame, 3);
  // Identities of any length: what follows is 04, two bytes, E0.
  const at = frame.indexOf(0xe0, 4);
  reader.skip(at - 2);
  const number = reader.u32LE();
  reader.skip(1);
  return { number, text: reader.latin1(reader.u8()) };
}

function meaning(frame: Uint8Array): ServerMessage {
  return { type: 'command', text: commandOf(frame).text, frame };
}

/** A 7.x terminal. Its first packet says who it is, and is answered as any other. */
export const simulator: Simulator = {
  report(fixes, deviceId, serial) {
    const writer = identity(deviceId);
    for (const [index, fix] of fixes.entries()) record(writer, fix, (serial + index) & 0xffff);
    return envelope(writer.finish());
  },
  fixesPerReport: 10,
  read(buffer) {
    if (buffer.length < 3) return undefined;
    if (buffer[0] === 0x02) return { bytes: 3, message: { type: 'acknowledged', reports: 1 } };
    const bytes = (buffer[1]! | (buffer[2]! << 8)) + 5;
    if (buffer.length < bytes) return undefined;
    const frame = buffer.slice(0, bytes);
    return { bytes, message: meaning(frame) };
  },
  answer(frame, outcome, deviceId) {
    const text = outcome === 'done' ? 'OK' : 'Command syntax is incorrect';
    const body = identity(deviceId).u8(0xe0).u32LE(commandOf(frame).number).u8(0xe1).u8(text.length).latin1(text);
    return envelope(body.finish());
  },
};
