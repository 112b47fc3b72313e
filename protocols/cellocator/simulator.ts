import { meaningByType, readLengthPrefixed, type SimulatedFix, type Simulator, sum8, Writer } from '#codec';

const RADIANS = Math.PI / 180;
/** A unit id has room for nine digits. */
const unitOf = (deviceId: string): number => Number(deviceId.slice(-9));

function header(type: number, deviceId: string, serial: number): Writer {
  return new Writer(70)
    .latin1('MCGP')
    .u8(type)
    .u32LE(unitOf(deviceId))
    .u16(0)
    .u8(serial & 0xff);
}

const close = (writer: Writer): Uint8Array => writer.u8(sum8(writer.finish(), 4)).finish();

function report(fix: SimulatedFix, deviceId: string, serial: number): Uint8Array {
  const time = new Date(fix.time);
  const writer = header(0, deviceId, serial).u8(130).u8(31).u8(1).u8(0).u8(0).u8(0).u8(31).u8(0);
  writer
    .u32(fix.ignition ? 0x2000_0000 : 0)
    .u8(0)
    .u32(0)
    .u24(0)
    .u24(0)
    .u24(0);
  writer.u16(0).u8(0).u8(0).u8(2).u8(9);
  writer.u32LE(Math.round(fix.longitude * RADIANS * 1e8)).u32LE(Math.round(fix.latitude * RADIANS * 1e8));
  writer
    .u32LE(52_000)
    .u32LE(Math.round(fix.speed / 0.036))
    .u16LE(Math.round(fix.course * RADIANS * 1000));
  writer.u8(time.getUTCSeconds()).u8(time.getUTCMinutes()).u8(time.getUTCHours());
  return close(
    writer
      .u8(time.getUTCDate())
      .u8(time.getUTCMonth() + 1)
      .u16LE(time.getUTCFullYear()),
  );
}

/** A unit that reports status and location. */
export const simulator: Simulator = {
  idOf: (deviceId) => String(unitOf(deviceId)),
  report: (fixes, deviceId, serial) => report(fixes[0]!, deviceId, serial),
  heartbeat: (deviceId, serial) => close(header(7, deviceId, serial).raw(new Uint8Array(57))),
  read: readLengthPrefixed(
    5,
    (buffer) => (buffer[4] === 0 ? 25 : 28),
    meaningByType((frame) => frame[4]!, { 4: 'acknowledged' }),
  ),
};
