import type { Answer } from '#codec';
import { readLocation } from '../location.ts';
import { createReport, outdated } from '../report.ts';
import { trimmed } from '../values.ts';
import { acknowledge, type Handle, type Incoming, left } from './incoming.ts';

const gbk = new TextDecoder('gbk');
const utf16 = new TextDecoder('utf-16be');

/** Results of 0001 and 1206. */
const RESULTS: readonly string[] = ['done', 'failed', 'message wrong', 'not supported'];

const answer = (serial: number, result = 0): Answer => ({
  type: 'answer',
  ticket: String(serial),
  outcome: result === 0 ? 'done' : 'refused',
  ...(result === 0 ? {} : { text: RESULTS[result] ?? `result ${result}` }),
});

const rest = (incoming: Incoming): Uint8Array => incoming.r.view(left(incoming)).slice();

/** 0001 general answer: serial and id of the command, result. */
export const generalAnswerOfDevice: Handle = ({ r, messages }) => {
  const serial = r.u16();
  r.skip(2);
  messages.push(answer(serial, r.u8()));
};

/** 1206 upload finished: serial and result. */
export const resultOnly: Handle = (incoming) => {
  const { r, messages } = incoming;
  messages.push(answer(r.u16(), r.u8()));
};

/** 0201, 0500: serial and the location that was asked for, or at which it was done. */
export const locationAnswer: Handle = (incoming) => {
  const { r, dialect, messages } = incoming;
  const serial = r.u16();
  messages.push(readLocation(r, dialect));
  messages.push(answer(serial));
};

/** 0104, 0302, 0700, 0802, 1205: serial and what was asked for. */
export const dataAnswer: Handle = (incoming) => {
  const { r, messages } = incoming;
  const serial = r.u16();
  messages.push({ ...answer(serial), bytes: rest(incoming) });
};

/** 0805 camera: serial, result (1 failed, 2 no such channel), ids of the photos. */
export const cameraAnswer: Handle = (incoming) => {
  const { r, messages } = incoming;
  const serial = r.u16();
  const result = r.u8();
  messages.push(
    result === 2
      ? { type: 'answer', ticket: String(serial), outcome: 'refused', text: 'no such channel' }
      : { ...answer(serial, result), bytes: rest(incoming) },
  );
};

function pushText({ messages }: Incoming, text: string, ticket: string | undefined): void {
  const report = createReport();
  report.attributes['result'] = text;
  messages.push(outdated(report));
  messages.push({ type: 'answer', ...(ticket === undefined ? {} : { ticket }), outcome: 'done', text });
}

/** 0701 of a vendor: u32 length, text. */
export const longText: Handle = (incoming) => {
  const { r } = incoming;
  pushText(incoming, r.latin1(r.u32()), undefined);
  acknowledge(incoming);
};

/** 6006: u8 encoding, text in GBK. */
export const gbkText: Handle = (incoming) => {
  const { r } = incoming;
  r.skip(1);
  pushText(incoming, gbk.decode(r.view(left(incoming))), undefined);
  acknowledge(incoming);
};

/** 1300: u16 serial (0000 of those that do not say), text in UTF-16. */
export const wideText: Handle = (incoming) => {
  const { r, header, bodyBytes } = incoming;
  const serial = r.u16();
  const bytes = r.view(Math.max(0, Math.min(header.declared, bodyBytes) - 2));
  pushText(incoming, trimmed(utf16.decode(bytes)), serial === 0 ? undefined : String(serial));
};

/** 0107 attributes of the terminal; the SIM card is what is of use. */
export const terminalAttributes: Handle = (incoming) => {
  const { r, messages } = incoming;
  const report = createReport();
  r.skip(34);
  report.attributes['iccid'] = r.hex(10);
  messages.push(outdated(report));
  acknowledge(incoming);
};
