import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type DecodedParts,
  type Draft,
  decodedFor,
  fileChunk,
  type Message,
  Reader,
  statusPosition,
  toLatin1,
} from '#codec';
import { withSum } from '#codec/framing';
import { isDigits } from '#codec/text';
import { endOfText, type MeitrackState } from './frame.ts';
import { readFixedRecords } from './records.ts';
import { readReport } from './report.ts';
import { readTaggedRecords } from './tagged.ts';

/** A message behind its envelope. */
interface Body {
  readonly flag: string;
  readonly id: string;
  readonly command: string;
  /** from behind `<command>,` to the star */
  readonly bytes: Uint8Array;
}

type Meaning = DecodedParts<MeitrackState>;
type Handler = (body: Body, context: DecodeContext<MeitrackState>) => Meaning;

const drafted = (drafts: readonly Draft[]): Message[] => drafts.map((draft) => draft.toPosition());

/** By the command; all others are text. */
const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['AAC', ({ id }) => ({ messages: [{ type: 'heartbeat' }], reply: say('z', id, 'AAC,1') })],
  ['CCC', readBatch],
  ['CCE', ({ bytes }) => ({ messages: drafted(readTaggedRecords(new Reader(bytes))) })],
  ['D00', readPhotoPart],
  [
    'D03',
    ({ id, bytes }) => ({ ...answered('D03', bytes), reply: photoRequest(id, 'camera_picture.jpg', 0), state: {} }),
  ],
  ['D82', readAnswer],
]);

const COMMAND = /^[A-Z][A-Z0-9]{2}$/;

export function decode(frame: Uint8Array, context: DecodeContext<MeitrackState>): Decoded<MeitrackState> {
  const body = open(frame);
  return decodedFor(body.id, (HANDLERS.get(body.command) ?? readText)(body, context), context.state);
}

/** Identity and command, between the commas; the checksum is apart. */
function open(frame: Uint8Array): Body {
  const head = toLatin1(frame, 0, 32);
  const first = head.indexOf(',');
  const second = head.indexOf(',', first + 1);
  const id = head.slice(first + 1, second);
  const command = head.slice(second + 1, second + 4);
  if (first < 0 || second < 0 || !(isDigits(id, 15) || isDigits(id, 14)) || !COMMAND.test(command))
    throw new CodecError('bad-text', 'not a message of the family', 0);
  // `*`, two digits, and the line end where it is still there
  const end = Math.max(endOfText(frame) - 3, second + 4);
  return { flag: head[2]!, id, command, bytes: frame.subarray(Math.min(second + 5, end), end) };
}

function readText({ command, bytes }: Body, { options }: DecodeContext<MeitrackState>): Meaning {
  const report = readReport(toLatin1(bytes), options);
  return report === undefined ? answered(command, bytes) : { messages: [report] };
}

/** `C01,OK`: the device has taken a command. */
function answered(command: string, bytes: Uint8Array): Meaning {
  const words = toLatin1(bytes);
  const text = words === '' ? command : `${command},${words}`;
  return { messages: [{ type: 'answer', outcome: /^error/i.test(words) ? 'refused' : 'done', text }] };
}

function readAnswer({ command, bytes }: Body): Meaning {
  const { messages } = answered(command, bytes);
  return { messages: [statusPosition({ result: `${command},${toLatin1(bytes)}` }), ...messages] };
}

function readBatch({ flag, id, bytes }: Body): Meaning {
  const drafts = readFixedRecords(new Reader(bytes));
  return { messages: drafted(drafts), reply: say(flag, id, `CCC,${drafts.length}`) };
}

/** `D00,<file>,<parts>,<part>,<bytes>` */
const PHOTO_PART = /^([\w.-]{1,64}),(\d{1,5}),(\d{1,5}),/;
/** so many parts are sent in a row */
const PARTS_ASKED_FOR = 8;

function readPhotoPart({ id, bytes }: Body, { state }: DecodeContext<MeitrackState>): Meaning {
  const match = PHOTO_PART.exec(toLatin1(bytes, 0, 80));
  if (match === null) throw new CodecError('bad-text', 'not a part of a photo');
  const [head, name, count, part] = match;
  const index = Number(part);
  const content = bytes.slice(head.length);
  const known = state.photo?.name === name ? state.photo : undefined;
  // Parts are of one size; where one did not come, the place of the next is known by that.
  const offset = known?.next === index ? known.received : index * content.length;
  const isLast = index + 1 === Number(count);
  const messages = fileChunk({ name: name!, media: 'image', offset, bytes: content }, isLast);
  const photo = { name: name!, received: offset + content.length, next: index + 1 };
  if (isLast) return { messages, state: {} };
  if ((index + 1) % PARTS_ASKED_FOR !== 0) return { messages, state: { photo } };
  return { messages, state: { photo }, reply: photoRequest(id, name!, index + 1) };
}

const photoRequest = (id: string, file: string, part: number): Uint8Array => say('O', id, `D00,${file},${part}`);

/** `@@<flag><length>,<id>,<content>*<checksum>` and the line end */
export function say(flag: string, id: string, content: string): Uint8Array {
  const length = id.length + content.length + 7;
  return withSum(`@@${flag}${String(length).padStart(2, '0')},${id},${content}*`);
}
