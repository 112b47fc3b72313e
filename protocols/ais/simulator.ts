import { asCommand, fromLatin1, readAll, type SimulatedFix, type Simulator, toLatin1, xor8 } from '#codec';

const hex = (text: string): string => xor8(fromLatin1(text)).toString(16).toUpperCase().padStart(2, '0');

const bits = (value: number, count: number): string =>
  (value < 0 ? value + 2 ** count : value).toString(2).padStart(count, '0');

/** Six bits a character. */
const armored = (message: string): string =>
  message.replace(/.{6}/g, (six) => {
    const value = Number.parseInt(six, 2);
    return String.fromCharCode(value < 40 ? value + 48 : value + 56);
  });

/** Report of an aircraft (message 9), whose speed is in whole knots and not limited to 102. */
function report({ time, latitude, longitude, speed, course }: SimulatedFix, mmsi: number): Uint8Array {
  const head =
    bits(9, 6) + bits(0, 2) + bits(mmsi, 30) + bits(300, 12) + bits(Math.round(speed / 1.852), 10) + bits(1, 1);
  const place = bits(Math.round(longitude * 600_000), 28) + bits(Math.round(latitude * 600_000), 27);
  const tail = bits(Math.round(course * 10), 12) + bits(Math.floor(time / 1_000) % 60, 6) + bits(0, 34);
  const sentence = `AIVDM,1,1,,A,${armored(head + place + tail)},0`;
  const tags = `c:${time / 1_000}`;
  return fromLatin1(`\\${tags}*${hex(tags)}\\!${sentence}*${hex(sentence)}\r\n`);
}

/** An MMSI has nine digits. */
const idOf = (deviceId: string): string => deviceId.slice(-9).padStart(9, '0');

export const simulator: Simulator = {
  idOf,
  report: ([fix], deviceId) => report(fix!, Number(idOf(deviceId))),
  acknowledges: false,
  read: readAll(asCommand(toLatin1)),
};
