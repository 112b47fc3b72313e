import { Reader, storedReply, textAnswer } from '#codec';
import { type FieldList, layout } from '#codec/binary';
import { newReport } from '../location.ts';
import type { Report } from '../report.ts';
import { generalAnswer, message } from '../wire.ts';
import type { Handle, Incoming } from './handle.ts';

/** 8001: the message is safe. Known, without anything to keep. */
export const acknowledge: Handle = ({ header, terminal, replies }) => {
  replies.push(storedReply(generalAnswer(terminal, header)));
};

/** Bytes of the body that have not been read. */
export const left = ({ r }: Incoming): number => Math.max(0, r.remaining - 2);

/** 0003, 0506 and others that only say that the device is there. */
export const heartbeat: Handle = (incoming) => {
  incoming.messages.push({ type: 'heartbeat' });
  acknowledge(incoming);
};

/** A record of these fields. A text of the device (`result`) answers a command too. */
function record(fields: FieldList<Report>): Handle {
  const read = layout(fields);
  return ({ r, header, dialect, messages }) => {
    const report = newReport(dialect.model);
    read(new Reader(r.bytes, r.offset, header.bodyEnd), report, dialect.zone);
    if (report.isDropped) return;
    messages.push(report.toPosition());
    const { result } = report.attributes;
    if (typeof result === 'string') messages.push(textAnswer(result));
  };
}

/** The same, acknowledged. */
export function acknowledged(fields: FieldList<Report>): Handle {
  const handle = record(fields);
  return (incoming) => {
    handle(incoming);
    acknowledge(incoming);
  };
}

const ANSWER_WANTED = 0x8000;

/** A record of a padlock, acknowledged by 4401 where it asks for that: u16 id, u8 result; the serial has one byte. */
export function padlock(fields: FieldList<Report>): Handle {
  const handle = record(fields);
  return (incoming) => {
    handle(incoming);
    const { header, terminal, replies } = incoming;
    if ((header.properties & ANSWER_WANTED) === 0) return;
    const body = Uint8Array.of(header.type >> 8, header.type, 0);
    replies.push(storedReply(message(terminal, 0x4401, 1, body)));
  };
}

/** By how long the body is. */
export const fromBytes =
  (least: number, handle: Handle, shorter: Handle): Handle =>
  (incoming) =>
    (incoming.bodyBytes < least ? shorter : handle)(incoming);
