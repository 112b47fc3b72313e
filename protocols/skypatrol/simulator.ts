import { asCommand, readAll, type SimulatedFix, type Simulator, toHex, Writer } from '#codec';

/** Long id, date, validity, place, speed, course, time, satellites. */
const MASK = [0, 2, 8, 9, 10, 11, 12, 13, 14, 16].reduce((mask, bit) => mask + 2 ** bit, 0);

/** Degrees and minutes in ten-thousandths; of negative ones the complement. */
function place(degrees: number): number {
  const minutes = Math.round(Math.abs(degrees) * 600_000);
  const magnitude = Math.floor(minutes / 600_000) * 1_000_000 + (minutes % 600_000);
  return degrees < 0 ? 0xffff_ffff - magnitude : magnitude;
}

function report({ time, latitude, longitude, speed, course }: SimulatedFix, id: string): Uint8Array {
  const at = new Date(time);
  return new Writer()
    .hex('0005021004')
    .u32(MASK)
    .latin1(id.padStart(22, ' '))
    .u8(at.getUTCDate())
    .u8(at.getUTCMonth() + 1)
    .u8(at.getUTCFullYear() - 2000)
    .u8(1)
    .u32(place(latitude))
    .u32(place(longitude))
    .u16(Math.round((speed / 1.852) * 10))
    .u16(course * 10)
    .u8(at.getUTCHours())
    .u8(at.getUTCMinutes())
    .u8(at.getUTCSeconds())
    .u8(7)
    .finish();
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  acknowledges: false,
  read: readAll(asCommand(toHex)),
};
