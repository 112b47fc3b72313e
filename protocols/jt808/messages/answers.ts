import { type Answer, Draft, Reader } from '#codec';
import { layout, text } from '#codec/binary';
import { readLocation } from '../location.ts';
import type { Handle } from './handle.ts';
import { left } from './incoming.ts';
import { RESULTS } from './results.ts';

const answer = (serial: number, result: number, names: readonly string[]): Answer =>
  result === 0
    ? { type: 'answer', ticket: String(serial), outcome: 'done' }
    : { type: 'answer', ticket: String(serial), outcome: 'refused', text: names[result] ?? `result ${result}` };

/** Serial of the command, `between` bytes, its result. */
export const resultOf =
  (between: number): Handle =>
  ({ r, messages }) => {
    const serial = r.u16();
    r.skip(between);
    messages.push(answer(serial, r.u8(), RESULTS));
  };

/** 0201, 0500: serial and the location that was asked for, or at which it was done. */
export const locationAnswer: Handle = ({ r, dialect, messages }) => {
  const serial = r.u16();
  messages.push(readLocation(r, dialect, 'message'), answer(serial, 0, RESULTS));
};

/** Serial, a result where the message has one, and what was asked for. */
export const dataOf =
  (results?: readonly string[]): Handle =>
  (incoming) => {
    const { r, messages } = incoming;
    const serial = r.u16();
    const said = answer(serial, results === undefined ? 0 : r.u8(), results ?? RESULTS);
    const bytes = r.view(left(incoming)).slice();
    messages.push(said.outcome === 'done' ? { ...said, bytes } : said);
  };

const wide = layout(text('result', 'rest', { encoding: 'utf-16be', trim: true }));

/** 1300: u16 serial (0000 of those that do not say), text in UTF-16 as long as declared. */
export const wideText: Handle = ({ r, header, messages }) => {
  const serial = r.u16();
  const end = Math.min(header.bodyAt + header.declared, header.bodyEnd);
  const draft = new Draft();
  wide(new Reader(r.bytes, r.offset, Math.max(r.offset, end)), draft);
  const said: Answer = { type: 'answer', outcome: 'done', text: String(draft.attributes['result']) };
  messages.push(draft.toPosition(), serial === 0 ? said : { ...said, ticket: String(serial) });
};
