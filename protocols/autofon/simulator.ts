import { asCommand, readAll, type Simulator, toHex, toLatin1, utcToParts, Writer } from '#codec';

const ACKNOWLEDGEMENT = 'resp_crc=';

/** Two digits of degrees, then minutes and four decimals. */
function place(degrees: number): number {
  const minutes = Math.round(Math.abs(degrees) * 600_000);
  const value = Math.trunc(minutes / 600_000) * 1_000_000 + (minutes % 600_000);
  return (degrees < 0 ? -value : value) >>> 0;
}

export const simulator: Simulator = {
  login: (deviceId) => new Writer(12).u8(0x10).u8(0x55).u8(0x61).hex(deviceId.padStart(16, '0')).u8(0x8f).finish(),
  report([fix]) {
    const { time, latitude, longitude, speed, course } = fix!;
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = utcToParts(time);
    const writer = new Writer(78).u8(0x11).raw(new Uint8Array(9)).u8(1).u16(0).u8(113).raw(new Uint8Array(30));
    writer.u8(20).u8(86).u16(250).u16(1).u16(30_450).u16(6_343).u8(0xc5);
    for (const part of [day, month, year, hour, minute, second]) writer.u8(part);
    writer.u32(place(latitude)).u32(place(longitude)).u16(158);
    return writer
      .u8(Math.round(speed / 1.852))
      .u8(Math.round(course / 2))
      .u16(20)
      .u16(0xffff)
      .u8(0)
      .finish();
  },
  acknowledges: false,
  read(buffer) {
    if (!toLatin1(buffer).startsWith(ACKNOWLEDGEMENT)) return readAll(asCommand(toHex))(buffer);
    const bytes = ACKNOWLEDGEMENT.length + 1;
    return buffer.length < bytes ? undefined : { bytes, message: { type: 'admitted' } };
  },
};
