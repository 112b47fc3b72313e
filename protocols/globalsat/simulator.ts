import {
  degreesWithLetters,
  fromLatin1,
  meaningByText,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  xor8,
} from '#codec';
import { hexByte, utcToDdmmyyHhmmss } from '#codec/text';

const sentence = (content: string): Uint8Array =>
  fromLatin1(`${content}*${hexByte(xor8(fromLatin1(content))).toLowerCase()}!`);

/** A report in the format of the factory. */
function report(fix: SimulatedFix, deviceId: string): Uint8Array {
  const [north, east] = degreesWithLetters(fix, 4, '').split(',');
  const place = [east!, north!].map((text) => text.slice(-1) + text.slice(0, -1)).join(',');
  const time = utcToDdmmyyHhmmss(fix.time).join(',');
  const movement = `${(fix.speed / 1.852).toFixed(2)},${Math.round(fix.course)}`;
  return sentence(`GSr,TR-203,${deviceId},00,4,0080,3,${time},${place},344,${movement},9,0.8,60%,0,0,12,`);
}

const meaningOf = meaningByText({ acknowledged: /^ACK\r$/ });

/** An acknowledgement ends with CR, a command with an exclamation mark. */
function read(buffer: Uint8Array): { readonly bytes: number; readonly message: ServerMessage } | undefined {
  const end = buffer.findIndex((byte) => byte === 0x0d || byte === 0x21) + 1;
  return end === 0 ? undefined : { bytes: end, message: meaningOf(buffer.slice(0, end)) };
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  heartbeat: (deviceId) => sentence(`GSh,${deviceId},3,M,ea04`),
  read,
};
