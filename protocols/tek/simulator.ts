import { asCommand, crc16Xmodem, readAll, type SimulatedFix, type Simulator, toHex, utcToParts, Writer } from '#codec';

function message(type: number, deviceId: string, body: Uint8Array): Uint8Array {
  const length = body.length + 2;
  const writer = new Writer().hex('0501e304e00e76').hex(deviceId.padStart(16, '0').slice(-16));
  writer
    .u8(type | ((length >> 8) << 6))
    .u8(length & 0xff)
    .raw(body);
  return writer.crc16(crc16Xmodem).finish();
}

const twoDigits = (part: number): string => String(part).padStart(2, '0');

/** Degrees and minutes with six decimals. */
function degrees(value: number, digits: number): string {
  const millionths = Math.round(Math.abs(value) * 60_000_000);
  const minutes = ((millionths % 60_000_000) / 1_000_000).toFixed(6).padStart(9, '0');
  return String(Math.trunc(millionths / 60_000_000)).padStart(digits, '0') + minutes;
}

function textOf({ time, latitude, longitude, speed, course }: SimulatedFix): string {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = utcToParts(time);
  const clock = [hour, minute, second].map(twoDigits).join('');
  const place = `${degrees(latitude, 2)}${latitude < 0 ? 'S' : 'N'},${degrees(longitude, 3)}${longitude < 0 ? 'W' : 'E'}`;
  const date = [day, month, year].map(twoDigits).join('');
  return `,1,${clock}.0,${place},1.2,134.8,3,${course}.0,${speed}.0,${(speed / 1.852).toFixed(2)},${date},06,`;
}

/** A sensor that reports where it is, and sends levels as its heartbeat; nothing is answered. */
export const simulator: Simulator = {
  report: ([fix], deviceId) => message(17, deviceId, new Writer().latin1(textOf(fix!)).finish()),
  heartbeat: (deviceId) => message(4, deviceId, new Writer().hex('00019700000082010f').hex('0a5b2877').finish()),
  acknowledges: false,
  read: readAll(asCommand((frame) => toHex(frame))),
};
