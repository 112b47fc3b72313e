import {
  degreesWithLetters,
  fromLatin1,
  meaningByText,
  readLengthPrefixed,
  type SimulatedFix,
  type Simulator,
  toLatin1,
  xor8,
} from '#codec';
import { hexByte, utcToDigits } from '#codec/text';

const pad = (value: number, digits: number): string => String(Math.round(value)).padStart(digits, '0');

function sentence(type: string, deviceId: string, body: string): Uint8Array {
  const content = `${type}${deviceId}|${body}`;
  const text = `$$${pad(content.length + 8, 4)}${content}`;
  return fromLatin1(text + hexByte(xor8(fromLatin1(text))));
}

const [IGNITION, VALID] = [0x4000_0000, 0x4000];

/** The newest format, without what may be left out. */
function report({ time, latitude, longitude, speed, course, ignition }: SimulatedFix, serial: number): string {
  const clock = utcToDigits(time).slice(2);
  const status = (VALID + (ignition ? IGNITION : 0)).toString(16).toUpperCase().padStart(8, '0');
  const place = degreesWithLetters({ latitude, longitude }, 4, '').replace(',', '');
  const moving = `0917${pad(course % 360, 3)}${pad(speed, 3)}00.90000120`;
  return `${status}${clock}4112000027BA0E57${moving}${place}${pad(serial % 10_000, 4)}`;
}

export const simulator: Simulator = {
  report: ([fix], deviceId, serial) => sentence('AA', deviceId, report(fix!, serial)),
  read: readLengthPrefixed(
    6,
    (buffer) => Number(toLatin1(buffer, 2, 6)),
    meaningByText({ acknowledged: /^\$\$0014AA/ }),
  ),
  answer: (_frame, outcome, deviceId) => sentence('CF', deviceId, outcome === 'done' ? 'OK' : 'ERROR'),
};
