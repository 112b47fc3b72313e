import { asCommand, readAll, type SimulatedFix, type Simulator, toHex, utcToParts } from '#codec';

const BYTES = 23;
const PLAIN = 0x0b;

/** What remains of the packet is filled with the byte that is not shifted. */
function packet(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(BYTES).fill(PLAIN);
  for (const [at, value] of numbers.entries()) bytes[at] = value === PLAIN ? PLAIN : (value + 0x20) & 0xff;
  return bytes;
}

/** Degrees, minutes, hundredths and ten thousandths of a minute. */
function partsOf(value: number): readonly [number, number, number, number] {
  const parts = Math.round(Math.abs(value) * 600_000);
  const minutes = parts % 600_000;
  return [Math.trunc(parts / 600_000), Math.trunc(minutes / 10_000), Math.trunc(minutes / 100) % 100, minutes % 100];
}

function report({ time, latitude, longitude, speed }: SimulatedFix): Uint8Array {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = utcToParts(time);
  const [degrees, ...rest] = partsOf(longitude);
  const flags = (longitude < 0 ? 0x80 : 0) | (latitude < 0 ? 0x40 : 0) | Math.trunc(degrees / 100);
  const place = [...partsOf(latitude), flags, degrees % 100, ...rest];
  return packet([day, month, year, hour, minute, second, ...place, Math.round(speed / 1.852), 9]);
}

/** A tracker of packets without marks and answers; it sends no course. */
export const simulator: Simulator = {
  login: (deviceId) => {
    const digits = deviceId.padStart(16, '0').slice(-16);
    return packet(Array.from({ length: 8 }, (_, at) => Number(digits.slice(2 * at, 2 * at + 2))));
  },
  report: ([fix]) => report(fix!),
  acknowledges: false,
  read: readAll(asCommand((frame) => toHex(frame))),
};
