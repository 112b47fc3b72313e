import { asCommand, readAll, type SimulatedFix, type Simulator, toHex, Writer } from '#codec';

const HARDWARE = 0x111;

/** A tracker of the common layout. */
function report(
  { time, latitude, longitude, speed, course }: SimulatedFix,
  deviceId: string,
  serial: number,
): Uint8Array {
  const place = new Writer(22)
    .u8(9)
    .u32(Math.round(Math.abs(latitude) * 6e6))
    .u32(Math.round(Math.abs(longitude) * 6e6));
  place
    .date6(time)
    .u16(Math.round((speed / 1.852) * 100))
    .u24(1_234);
  place.u16((Math.round(course) % 360) | (longitude < 0 ? 0x200 : 0) | (latitude < 0 ? 0 : 0x400) | 0x800);
  const content = new Writer(96).u16(0x2424).u16(HARDWARE).u32(0x010e_0000).hex(deviceId.padStart(16, '0').slice(-16));
  content.date6(time).u16(place.length).raw(place.finish()).u16(0);
  content.u16(14).u8(0xaa).u8(0).u8(0).u8(0).u8(27).u8(55).u16(410).u16(1_260).u16(0).u16(0);
  content.u16(serial & 0xffff).u16(0);
  return new Writer(128).latin1('TZ').u16(content.length).raw(content.finish()).u16(0x0d0a).finish();
}

export const simulator: Simulator = {
  report: ([fix], deviceId, serial) => report(fix!, deviceId, serial),
  acknowledges: false,
  read: readAll(asCommand(toHex)),
};
