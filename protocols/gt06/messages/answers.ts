import { type Answer, KNOT_KMH, toLatin1, utcFromCalendar, withHemisphere, zoneToUtc } from '#codec';
import type { Field } from '#codec/binary';
import type { Packet } from '../packet.ts';

/** Texts of a device that refused a command: "Command error!", "DYD=Speed Limit, Speed 40km/h", "Fail!". */
const REFUSALS: readonly RegExp[] = [
  /\b(?:command|cmd|parameters?|password|format)\b.{0,12}\b(?:error|wrong|invalid|incorrect)/i,
  /(?:^|[=:])\s{0,3}(?:fail|error|invalid|unsupported|not support|speed limit|unvalued fix)/i,
  /\bfail(?:ed|ure)?\s{0,3}[!.]?$/i,
];

/** `flag` is the server flag of the command; 0 where the device does not keep it. */
function answer(flag: number, text: string): Answer {
  const outcome = REFUSALS.some((refusal) => refusal.test(text)) ? 'refused' : 'done';
  return { type: 'answer', ...(flag === 0 ? {} : { ticket: String(flag) }), outcome, text };
}

const ICCID = '<ICCID:';
const FLAG_BYTES = 4;

/**
 * Answer to a command (15): the length byte counts server flag and text. Clones send 0 there and fill up with zeros:
 * then the text ends at the first of them.
 */
export const ANSWER: Field<Packet> = ({ reader, into }) => {
  const length = reader.u8();
  if (reader.remaining < FLAG_BYTES) return;
  const flag = reader.u32();
  const at = reader.offset;
  let end = reader.end;
  if (length > 0) end = Math.min(end, at + Math.max(0, length - FLAG_BYTES));
  else for (let i = end - 1; i >= at; i--) if (reader.bytes[i] === 0) end = i;
  const text = toLatin1(reader.bytes, at, end).replaceAll('\0', '');
  if (text.startsWith(ICCID)) {
    into.attributes['iccid'] = text.slice(ICCID.length, ICCID.length + 20);
    if (flag === 0) return;
  } else if (text !== '') into.attributes['result'] = text;
  if (text !== '' || flag !== 0) into.messages.push(answer(flag, text));
};

const ASCII = 1;

/** Answer to a command (21): server flag, encoding, text. */
export const LONG_ANSWER: Field<Packet> = ({ reader, into }) => {
  const flag = reader.u32();
  const encoding = reader.u8();
  const at = reader.take(reader.remaining);
  const raw =
    encoding === ASCII ? toLatin1(reader.bytes, at, reader.end) : utf16.decode(reader.bytes.subarray(at, reader.end));
  const text = raw.replaceAll('\0', '');
  into.messages.push(answer(flag, text));
  if (!readCurrentPosition(into, text)) into.attributes['result'] = text;
};

/** big endian; what is no text becomes U+FFFD */
const utf16 = new TextDecoder('utf-16be');

const CURRENT_POSITION =
  /^Current position!Lat:([NS])(\d{1,2}\.\d{1,8}),Lon:([EW])(\d{1,3}\.\d{1,8}),Course:(\d{1,3}\.\d{1,4}),Speed:(\d{1,4}\.\d{1,4}),DateTime:(\d{4})-(\d\d)-(\d\d) {1,4}(\d\d):(\d\d):(\d\d)/;

/** The answer to a question for the position is a fix. */
function readCurrentPosition(packet: Packet, text: string): boolean {
  const found = CURRENT_POSITION.exec(text);
  if (found === null) return false;
  const number = (group: number) => Number(found[group]);
  const time = zoneToUtc(
    utcFromCalendar(number(7), number(8), number(9), number(10), number(11), number(12)),
    packet.zone,
  );
  packet.setFix(time, true, withHemisphere(number(2), found[1]), withHemisphere(number(4), found[3]));
  packet.course = number(5);
  packet.speed = number(6) * KNOT_KMH;
  return true;
}
