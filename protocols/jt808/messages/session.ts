import { CodecError, fromLatin1, hmacHex, Writer } from '#codec';
import { createReport, outdated } from '../report.ts';
import { trimmed } from '../values.ts';
import { generalAnswer, message } from '../wire.ts';
import { acknowledge, type Handle, type Incoming, left } from './incoming.ts';

const NO_SUCH_TERMINAL = 4;
const FAILED = 1;
const CODE_DIGITS = 16;

/** Authentication code of a device: its id, or an HMAC of the id where the server has a key. */
export function codeOf({ options, terminal }: Pick<Incoming, 'options' | 'terminal'>): string {
  const key = options['authenticationKey'];
  return typeof key === 'string' && key !== '' ? hmacHex(key, terminal.ids[0], CODE_DIGITS) : terminal.name;
}

/** 0100 registration, answered by 8100: u16 serial, u8 result, authentication code. */
export const register: Handle = (incoming) => {
  const { header, terminal, replies } = incoming;
  const answer = (result: number, code: string) => {
    const body = new Writer(32).u16(header.serial).u8(result).raw(fromLatin1(code)).finish();
    return message(terminal, 0x8100, 0, body);
  };
  replies.push({ when: 'stored', bytes: answer(0, codeOf(incoming)) });
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
  return trimmed(r.latin1(header.versioned ? Math.min(r.u8(), whole - 1) : whole));
}

/** 0003, 0506 and others that only say that the device is there. */
export const heartbeat: Handle = (incoming) => {
  incoming.messages.push({ type: 'heartbeat' });
  acknowledge(incoming);
};

/** Known, without anything to keep. */
export const acknowledgeOnly: Handle = acknowledge;

/** 0002: heartbeat, of some with battery, radio and status. */
export const status: Handle = (incoming) => {
  const { r, bodyBytes, messages } = incoming;
  if (bodyBytes < 2) return heartbeat(incoming);
  const report = createReport();
  report.attributes['batteryLevel'] = r.u8();
  report.attributes['rssi'] = r.u8();
  if (bodyBytes > 2) report.attributes['status'] = r.u8();
  messages.push(outdated(report));
  acknowledge(incoming);
};

/** 0109 of a vendor: asks for the time, answered by 8109 in UTC. */
export const sendTime: Handle = ({ terminal, now, replies }) => {
  const t = new Date(now);
  const body = new Writer(8)
    .u16(t.getUTCFullYear())
    .u8(t.getUTCMonth() + 1)
    .u8(t.getUTCDate())
    .u8(t.getUTCHours())
    .u8(t.getUTCMinutes())
    .u8(t.getUTCSeconds())
    .u8(0);
  replies.push({ when: 'received', bytes: message(terminal, 0x8109, 0, body.finish()) });
};

/** 0004 (2019): the same, answered by 8004 in BCD. */
export const sendStandardTime: Handle = ({ terminal, now, replies }) => {
  const body = new Writer(6).hex(utcDigits(now).slice(2)).finish();
  replies.push({ when: 'received', bytes: message(terminal, 0x8004, 0, body) });
};

/** yyyyMMddHHmmss */
export const utcDigits = (epochMs: number): string => new Date(epochMs).toISOString().replace(/\D/g, '').slice(0, 14);
