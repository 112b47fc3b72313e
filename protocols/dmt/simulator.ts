import { readLengthPrefixed, type ServerMessage, type SimulatedFix, type Simulator, toHex, Writer } from '#codec';

const EPOCH = Date.UTC(2013, 0, 1) / 1000;

const envelope = (type: number, content: Uint8Array): Uint8Array =>
  new Writer().u8(0x02).u8(0x55).u8(type).u16LE(content.length).raw(content).finish();

function record(fix: SimulatedFix, index: number): Uint8Array {
  const time = fix.time / 1000 - EPOCH;
  const place = new Writer()
    .u32LE(time)
    .u32LE(Math.round(fix.latitude * 10_000_000))
    .u32LE(Math.round(fix.longitude * 10_000_000))
    .u16LE(520)
    .u16LE(Math.round(fix.speed / 0.036))
    .u8(0)
    .u8(Math.round(fix.course / 2))
    .u8(12)
    .u8(8)
    .u8(1);
  const inputs = new Writer()
    .u32LE(fix.ignition ? 1 : 0)
    .u16LE(0)
    .u16LE(2);
  const fields = new Writer().u32LE(index).u32LE(time).u8(1);
  fields.u8(0).u8(place.length).raw(place.finish()).u8(2).u8(inputs.length).raw(inputs.finish());
  return new Writer()
    .u16LE(fields.length + 2)
    .raw(fields.finish())
    .finish();
}

function meaning(frame: Uint8Array): ServerMessage {
  if (frame[2] === 0x06) return { type: 'acknowledged', reports: 1 };
  if (frame[2] !== 0x01) return { type: 'command', text: toHex(frame), frame };
  return { type: frame.length > 10 && frame[9] !== 0 ? 'refused' : 'admitted' };
}

/** A tracker that says hello and sends records, then asks for them to be committed. */
export const simulator: Simulator = {
  login: (deviceId, serial) =>
    envelope(
      0x00,
      new Writer().u32LE(serial).latin1(deviceId.padStart(15, '0').slice(-15)).raw(new Uint8Array(30)).finish(),
    ),
  report: (fixes, _deviceId, serial) => {
    const writer = new Writer();
    for (const [index, fix] of fixes.entries()) writer.raw(record(fix, serial + index));
    return envelope(0x04, writer.finish());
  },
  fixesPerReport: 10,
  heartbeat: () => envelope(0x05, new Uint8Array(0)),
  read: readLengthPrefixed(
    5,
    (buffer) => 5 + (buffer[3]! | (buffer[4]! << 8)),
    (frame) => meaning(frame),
  ),
  acknowledges: false,
};
