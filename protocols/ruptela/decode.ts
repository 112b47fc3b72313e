import {
  type DecodeContext,
  type Decoded,
  type Draft,
  fileChunk,
  handlerOf,
  type Message,
  Reader,
  type Reply,
  storedReply,
  toHex,
} from '#codec';
import { packet } from './packet.ts';
import { readRecords, readTroubleCodes } from './records.ts';

/** A file that is on its way in parts. */
interface Transfer {
  readonly name: string;
  readonly next: number;
  readonly received: number;
}

export interface State {
  readonly file?: Transfer;
}

interface Read {
  readonly messages: readonly Message[];
  readonly replies: readonly Reply[];
  readonly file?: Transfer;
}

const NOTHING: Read = { messages: [], replies: [] };
const ACCEPTED = Uint8Array.of(1);

const accepted = (command: number): readonly Reply[] => [storedReply(packet(command, ACCEPTED))];
const RECORDS_ANSWERED: readonly Reply[] = [
  ...accepted(0x64),
  { when: 'refused', bytes: packet(0x64, Uint8Array.of(0)) },
];
const TROUBLE_ANSWERED = accepted(0x6d);
const IDENTIFICATION_ANSWERED = accepted(0x73);
const HEARTBEAT_ANSWERED = accepted(0x74);

const positions = (drafts: readonly Draft[], replies: readonly Reply[]): Read => ({
  messages: drafts.map((draft) => draft.toPosition()),
  replies,
});

function answer(type: number, result: string, refused = false): Read {
  return {
    messages: [
      { type: 'position', valid: false, outdated: true, attributes: { type, result } },
      { type: 'answer', outcome: refused ? 'refused' : 'done', text: result },
    ],
    replies: [],
  };
}

const PART = 2;
const PART_REQUEST = 0x89;

/** A part of a file (37). Parts are asked for one after the other; one that was not asked for is asked for again. */
function readFile(reader: Reader, { state: { file } }: DecodeContext<State>): Read {
  const kind = reader.u8();
  const source = reader.u8();
  if (kind !== PART) return NOTHING;
  const nameAt = reader.offset;
  const name = toHex(reader.view(8));
  const total = reader.u16();
  const current = reader.u16();
  const bytes = reader.view(reader.remaining).slice();
  const known = file?.name === name ? file : { name, next: current, received: 0 };
  if (known.next >= total && known === file) return { ...NOTHING, file };
  const isNext = current === known.next;
  const next = isNext ? current + 1 : known.next;
  const received = known.received + (isNext ? bytes.length : 0);
  const request = Uint8Array.of(PART, source, ...reader.bytes.subarray(nameAt, nameAt + 8), next >> 8, next & 0xff);
  const isLast = isNext && current >= total - 1;
  return {
    messages: isNext ? fileChunk({ name, media: 'image', offset: known.received, bytes }, isLast) : [],
    replies: isLast ? [] : [storedReply(packet(PART_REQUEST, request))],
    file: { name, next, received },
  };
}

const text =
  (type: number) =>
  (reader: Reader): Read =>
    answer(type, reader.latin1().trim());

const HANDLERS: Readonly<Record<number, (reader: Reader, context: DecodeContext<State>) => Read>> = {
  1: (reader) => positions(readRecords(reader, false), RECORDS_ANSWERED),
  2: text(2),
  3: text(3),
  4: text(4),
  7: text(7),
  9: (reader) => positions(readTroubleCodes(reader), TROUBLE_ANSWERED),
  15: () => ({ messages: [], replies: IDENTIFICATION_ANSWERED }),
  16: () => ({ messages: [{ type: 'heartbeat' }], replies: HEARTBEAT_ANSWERED }),
  17: (reader) => {
    const code = reader.u8();
    return answer(17, String(code), code !== 0);
  },
  37: readFile,
  68: (reader) => positions(readRecords(reader, true), RECORDS_ANSWERED),
};

/** IMEI as a number, type, content, checksum. */
export function decode(bytes: Uint8Array, context: DecodeContext<State>): Decoded<State> {
  const reader = new Reader(bytes, 2, bytes.length - 2);
  const high = reader.u32();
  const imei = String(high * 0x1_0000_0000 + reader.u32()).padStart(15, '0');
  const type = reader.u8();
  const { messages, replies, file } = handlerOf(HANDLERS, type, 10)(reader, context);
  return {
    state: file === undefined ? context.state : { file },
    messages: [{ type: 'login', ids: [imei] }, ...messages],
    replies,
  };
}

/** The answer's command is a hundred more than the type. */
export function acknowledgeUndecoded(bytes: Uint8Array): readonly Reply[] {
  const type = bytes[10] ?? 0;
  if (bytes.length < 13 || type > 155) return [];
  if (type === 1 || type === 68) return RECORDS_ANSWERED.slice(0, 1);
  return accepted(type === 9 ? 0x6d : type + 100);
}
