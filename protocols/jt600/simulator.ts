import {
  fromLatin1,
  meaningByText,
  readUntil,
  type SimulatedFix,
  type Simulator,
  toLatin1,
  utcToParts,
  Writer,
} from '#codec';

const digits = (value: number, count: number): string => String(value).padStart(count, '0');
/** An id has room for ten digits, and is known without zeros before them. */
const digitsOf = (deviceId: string): string => deviceId.slice(-10).padStart(10, '0');

/** Degrees, minutes and their fraction of four digits. */
function ddmm(value: number, degreeDigits: number): string {
  const tenThousandths = Math.round(Math.abs(value) * 600_000);
  return digits(Math.trunc(tenThousandths / 600_000), degreeDigits) + digits(tenThousandths % 600_000, 6);
}

/** A message of a lock of version 0x19, which is acknowledged by its number. */
function report(
  { time, latitude, longitude, speed, course }: SimulatedFix,
  deviceId: string,
  serial: number,
): Uint8Array {
  const [year, month, day, ...clock] = utcToParts(time).map((part) => digits(part, 2));
  const knots = Math.round(speed / 1.852);
  const flags = 1 + (latitude < 0 ? 0 : 2) + (longitude < 0 ? 0 : 4);
  return new Writer()
    .latin1('$')
    .hex(`${digitsOf(deviceId)}19110034${day}${month}${year}${clock.join('')}`)
    .hex(`${ddmm(latitude, 2)}${ddmm(longitude, 3)}${flags.toString(16)}`)
    .u8(knots)
    .u8(Math.round(course / 2))
    .hex('00000010090000000020e05a1ab21b6f1b00000f0f')
    .hex('03563070424410130000')
    .u16(222)
    .u8(1)
    .u8(serial)
    .finish();
}

export const simulator: Simulator = {
  idOf: (deviceId) => String(Number(digitsOf(deviceId))),
  report: ([fix], deviceId, serial) => report(fix!, deviceId, serial),
  heartbeat: (deviceId) => fromLatin1(`(${digitsOf(deviceId)},@JT)`),
  answer: (frame, outcome, deviceId) =>
    fromLatin1(`(${digitsOf(deviceId)},${toLatin1(frame, 1, 4)},${outcome === 'done' ? 1 : 0})`),
  read: readUntil(')', meaningByText({ acknowledged: /^\(P69,/ })),
};
