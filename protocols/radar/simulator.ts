import { asCommand, crc16CcittFalse, readAll, type SimulatedFix, type Simulator, toHex, Writer } from '#codec';

/** A serial number has room for nine digits. */
const serialOf = (deviceId: string): number => Number(deviceId.slice(-9));

/** Elements 0 to 8: times, place, movement, satellites, status. */
const MASK = 'ff01';
const RECORD_BYTES = 34;
const degrees = (value: number): number => Math.round(value * 360_000);

const record = ({ time, latitude, longitude, speed, course, ignition }: SimulatedFix): Uint8Array =>
  new Writer(RECORD_BYTES)
    .u16(2)
    .u8(2)
    .hex(MASK)
    .u16(RECORD_BYTES)
    .u32(time / 1000)
    .u32(time / 1000)
    .u32(degrees(latitude))
    .u32(degrees(longitude))
    .u16(speed)
    .u16(course * 10)
    .u16(746)
    .u8(0x91)
    .u32(ignition ? 0x11 : 0)
    .finish();

/** A tracker that reports its records; it needs no answer. */
export const simulator: Simulator = {
  idOf: (deviceId) => String(serialOf(deviceId)),
  report: (fixes, deviceId, serial) => {
    const length = 14 + 8 + fixes.length * RECORD_BYTES + 2;
    const writer = new Writer(length)
      .u8(0x36)
      .u8(0x18)
      .u32(serialOf(deviceId))
      .u8(serial & 0xff);
    writer
      .u32(fixes[0]!.time / 1000)
      .u8(0x4c)
      .u16(length);
    writer.u16(fixes.length).u16(1).u16(fixes.length).u16(1);
    for (const fix of fixes) writer.raw(record(fix));
    return writer.crc16(crc16CcittFalse).finish();
  },
  fixesPerReport: 10,
  acknowledges: false,
  read: readAll(asCommand((frame) => toHex(frame))),
};
