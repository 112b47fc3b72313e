import { Draft, type Message, type Reader, textAnswer } from '#codec';
import { type Param, readExtendable, readParam, readParams, readText } from './values.ts';

/** A message of a packet; a picture and a text stand beside its place. */
interface RecordDraft {
  readonly draft: Draft;
  readonly time: number;
  readonly messages: Message[];
  blocks: Blocks | undefined;
}

/** The picture that is on its way, and the size of its blocks: the last one may be shorter. */
export interface Blocks {
  readonly name: string;
  readonly size: number;
}

type Handler = (reader: Reader, record: RecordDraft) => void;

const VALID_SATELLITES = 3;

const readPlace: Handler = (reader, { draft, time }) => {
  const latitude = reader.i32() / 1e6;
  const longitude = reader.i32() / 1e6;
  const speed = reader.u16();
  const course = reader.u16();
  draft.setMovement(reader.i16(), speed, course);
  const satellites = reader.u8();
  draft.attributes['sat'] = satellites;
  draft.attributes['hdop'] = reader.u16() / 100;
  draft.setFix(time, satellites >= VALID_SATELLITES, latitude, longitude);
};

const set = ({ draft }: RecordDraft, key: string, value: number | string): void => {
  if (typeof value === 'number') draft.setNumber(key, value);
  else if (value !== '') draft.attributes[key] = value;
};

/** Values under a key and their number, from 1 on. */
const numbered =
  (key: string): Handler =>
  (reader, record) => {
    for (const { id, value } of readParams(reader)) set(record, `${key}${id + 1}`, value);
  };

const named =
  (key: string): Handler =>
  (reader, record) => {
    for (const { id, value } of readParams(reader)) set(record, `${key}${id}`, value);
  };

const readCells: Handler = (reader, { draft }) => {
  for (let count = reader.u8(); count > 0; count--) {
    const mcc = reader.u16();
    const mnc = reader.u16();
    const lac = reader.u16();
    const cid = reader.u16();
    draft.addCell({ mcc, mnc, lac, cid, rssi: 0 - Math.abs(reader.i16()) });
    reader.skip(2);
  }
};

const readPicture: Handler = (reader, record) => {
  const { time, messages, blocks } = record;
  const index = readExtendable(reader);
  const length = reader.u32();
  const count = readExtendable(reader);
  const name = readText(reader);
  const bytes = reader.view(Math.min(length, reader.remaining)).slice();
  const isLast = index + 1 >= count;
  // without the blocks before it, only its own size is known
  const size = isLast && blocks?.name === name ? blocks.size : length;
  record.blocks = isLast ? undefined : { name, size: length };
  messages.push({
    type: 'file',
    name: `${time}-${name}`,
    media: 'image',
    offset: index * size,
    bytes,
    ...(isLast ? { last: true as const } : {}),
  });
};

const readDrivers: Handler = (reader, record) => {
  const codes: readonly Param[] = readParams(reader);
  const code = codes[0]?.value;
  if (code !== undefined) set(record, 'driverUniqueId', String(code));
};

const readMessage: Handler = (reader, record) => {
  const text = readText(reader);
  set(record, 'result', text);
  record.messages.push(textAnswer(text));
};

/** Type of a part → what it holds. Source: Wialon Combine 1.04, data packet. */
const PARTS: Readonly<Record<number, Handler>> = {
  0: (reader, record) => {
    for (let count = readExtendable(reader); count > 0; count--) {
      const { id, value } = readParam(reader);
      set(record, `param${id}`, value);
    }
  },
  1: readPlace,
  2: (reader, { draft }) => {
    draft.attributes['input'] = reader.u32();
    draft.attributes['output'] = reader.u32();
  },
  3: readPicture,
  4: readCells,
  5: numbered('fuel'),
  6: numbered('temp'),
  7: named('can'),
  8: numbered('count'),
  9: numbered('adc'),
  10: readDrivers,
  12: readMessage,
};

/** Messages until the end: time, then parts. A part of unknown type hides what follows it, not what came before. */
export function readRecords(
  reader: Reader,
  before: Blocks | undefined,
): { messages: Message[]; state: Blocks | undefined } {
  const messages: Message[] = [];
  let state = before;
  while (reader.remaining > 0) {
    const time = reader.u32() * 1000;
    const record: RecordDraft = { draft: new Draft(), time, messages: [], blocks: state };
    record.draft.deviceTime = time;
    let isWhole = true;
    for (let count = reader.u8(); count > 0 && isWhole; count--) {
      const part = PARTS[readExtendable(reader)];
      if (part === undefined) isWhole = false;
      else part(reader, record);
    }
    messages.push(record.draft.toPosition(), ...record.messages);
    state = record.blocks;
    if (!isWhole) break;
  }
  return { messages, state };
}
