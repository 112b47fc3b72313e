import { CodecError, fromHex, hmacHex, storedReply, utcToParts, Writer } from '#codec';
import { utcToDigits } from '#codec/text';
import { generalAnswer, message } from '../wire.ts';
import type { Handle, Incoming } from './handle.ts';
import { acknowledge, left } from './incoming.ts';

const NO_SUCH_TERMINAL = 4;
const FAILED = 1;
const CODE_DIGITS = 16;

/** Authentication code of a device: its id, or an HMAC of the id where the server has a key. */
function codeOf({ options, terminal }: Incoming): string {
  const key = options['authenticationKey'];
  return typeof key === 'string' && key !== '' ? hmacHex(key, terminal.ids[0], CODE_DIGITS) : terminal.name;
}

/** 0100 registration, answered by 8100: u16 serial, u8 result, authentication code. */
export const register: Handle = (incoming) => {
  const { header, terminal, replies } = incoming;
  const answer = (result: number, code: string) =>
    message(terminal, 0x8100, 0, new Writer(32).u16(header.serial).u8(result).latin1(code).finish());
  replies.push(storedReply(answer(0, codeOf(incoming))));
  replies.push({ when: 'refused', bytes: answer(NO_SUCH_TERMINAL, '') });
};

/** 0102 authentication. With a key the code is checked; without one any will do, since the id alone is known. */
export const authenticate: Handle = (incoming) => {
  const { header, terminal, options, replies } = incoming;
  if (options['authenticationKey'] && shownCode(incoming) !== codeOf(incoming)) {
    throw new CodecError('not-identified', 'the authentication code is another', header.bodyAt);
  }
  acknowledge(incoming);
  replies.push({ when: 'refused', bytes: generalAnswer(terminal, header, FAILED) });
};

/** The code is the body; since 2019 it has a length, and IMEI and version follow. */
function shownCode(incoming: Incoming): string {
  const { header, r } = incoming;
  const whole = left(incoming);
  const code = r.latin1(header.versioned ? Math.min(r.u8(), whole - 1) : whole);
  return code.replaceAll('\0', '').trim();
}

/** 0109 of a vendor: asks for the time, answered by 8109 in UTC: u16 year, then a byte each. */
export const sendTime: Handle = ({ terminal, now, replies }) => {
  const [year, ...parts] = utcToParts(now);
  const body = new Writer(8)
    .u16(2000 + year!)
    .raw(Uint8Array.from(parts))
    .u8(0);
  replies.push({ when: 'received', bytes: message(terminal, 0x8109, 0, body.finish()) });
};

/** 0004 (2019): the same, answered by 8004 in BCD. */
export const sendStandardTime: Handle = ({ terminal, now, replies }) => {
  replies.push({ when: 'received', bytes: message(terminal, 0x8004, 0, fromHex(utcToDigits(now).slice(2))) });
};
