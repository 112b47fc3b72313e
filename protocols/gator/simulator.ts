import { meaningByType, readLengthPrefixed, type SimulatedFix, type Simulator, utcToParts, Writer, xor8 } from '#codec';

function message(type: number, deviceId: string, content: Uint8Array): Uint8Array {
  const body = new Writer()
    .hex(`${deviceId.padStart(15, '0').slice(-15)}0`)
    .raw(content)
    .finish();
  const writer = new Writer()
    .hex('2424')
    .u8(type)
    .u16(body.length + 2)
    .raw(body);
  return writer.u8(xor8(writer.finish())).u8(0x0d).finish();
}

const digits = (value: number, count: number): string => String(value).padStart(count, '0');

/** DDDMMmmm, with the first bit of the south or the west. */
function coordinate(value: number): string {
  const thousandths = Math.round(Math.abs(value) * 60_000);
  const text = digits(Math.trunc(thousandths / 60_000) * 100_000 + (thousandths % 60_000), 8);
  return value < 0 ? (Number.parseInt(text, 16) + 0x8000_0000).toString(16) : text;
}

const fixOf = ({ time, latitude, longitude, speed, course, ignition }: SimulatedFix): Uint8Array =>
  new Writer()
    .hex(
      utcToParts(time)
        .map((part) => digits(part, 2))
        .join(''),
    )
    .hex(coordinate(latitude))
    .hex(coordinate(longitude))
    .hex(digits(speed, 4))
    .hex(digits(course, 4))
    .u8(0xc9)
    .u8(0x47)
    .u8(ignition ? 1 : 0)
    .u16(0)
    .u8(12)
    .u8(60)
    .u32(0)
    .u32(0)
    .u8(0)
    .finish();

/** A tracker of the newer kind, which sends its IMEI. */
export const simulator: Simulator = {
  report: ([fix], deviceId) => message(0x80, deviceId, fixOf(fix!)),
  heartbeat: (deviceId) => message(0x21, deviceId, Uint8Array.of(0)),
  read: readLengthPrefixed(
    5,
    (buffer) => 5 + ((buffer[3]! << 8) | buffer[4]!),
    meaningByType((frame) => frame[2]!, { 0x21: 'acknowledged' }),
  ),
};
