import {
  fromLatin1,
  readUntil,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toHex,
  toLatin1,
  xor8,
} from '#codec';
import { hexByte, utcToDdmmyyHhmmss } from '#codec/text';

const signed = (degrees: number, width: number): string =>
  (degrees < 0 ? '-' : '+') + String(Math.round(Math.abs(degrees) * 100_000)).padStart(width, '0');
const digits = (n: number): string => String(Math.round(n)).padStart(3, '0');

function report(fix: SimulatedFix, id: string, serial: number): Uint8Array {
  const place = signed(fix.latitude, 7) + signed(fix.longitude, 8);
  const movement = digits(fix.speed) + digits(fix.course);
  const lines = fix.ignition ? '80' : '00';
  const head = `>RGP${utcToDdmmyyHhmmss(fix.time).join('')}${place}${movement}300${lines}0001`;
  const body = `${head};ID=${id};#${serial.toString(16).toUpperCase().padStart(4, '0')};*`;
  return fromLatin1(`${body}${hexByte(xor8(fromLatin1(body)))}<`);
}

function meaningOf(frame: Uint8Array): ServerMessage {
  if (/^>(?:ACK|SAK);/.test(toLatin1(frame))) return { type: 'acknowledged', reports: 1 };
  return { type: 'command', text: toHex(frame), frame };
}

export const simulator: Simulator = {
  report: ([fix], deviceId, serial) => report(fix!, deviceId, serial),
  read: readUntil('<', meaningOf),
};
