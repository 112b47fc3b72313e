import {
  CodecError,
  crc16Arc,
  type DecodeContext,
  type Decoded,
  fromLatin1,
  type Message,
  type Reply,
  statusPosition,
  storedTextReply,
  textAnswer,
  toUtf8,
} from '#codec';
import { type Content, readFileInfo, readPhotoBlock, readTachographBlock, type State } from './files.ts';
import { unpacked } from './frame.ts';
import { readRecord } from './record.ts';

const MESSAGE = /^(?:\d\.\d;)?([A-Za-z0-9._:-]{1,64})?#([A-Z]{1,2})#([^\r\n]*)\r?\n?$/su;
const ID = /^[A-Za-z0-9._:-]{1,64}$/;

const line = (text: string): Reply => storedTextReply(`${text}\r\n`);

const LINE_FEED = 0x0a;
const NO_BLOCK = new Uint8Array(0);

export function decode(packet: Uint8Array, { state, now }: DecodeContext<State>): Decoded<State> {
  const frame = unpacked(packet);
  const end = frame.indexOf(LINE_FEED) + 1 || frame.length;
  const m = MESSAGE.exec(toUtf8(frame, 0, end));
  if (m === null) throw new CodecError('bad-text', 'no message of the protocol', 0);
  const [, id, type, body] = m as unknown as [string, string | undefined, string, string];
  const block = end === frame.length ? NO_BLOCK : frame.slice(end);
  const content = HANDLERS[type]?.(body, now, { block, state }) ?? {
    messages: [{ type: 'heartbeat' } as const],
    replies: [],
  };
  const messages: Message[] = id === undefined ? [] : [{ type: 'login', ids: [id] }];
  return { state: content.state ?? state, messages: [...messages, ...content.messages], replies: content.replies };
}

interface Transferred {
  /** what stands behind the line */
  readonly block: Uint8Array;
  readonly state: State;
}

const HANDLERS: Readonly<Record<string, (body: string, now: number, transferred: Transferred) => Content>> = {
  L: readLogin,
  P: () => ({ messages: [{ type: 'heartbeat' }], replies: [line('#AP#')] }),
  SD: (body, now) => ({ messages: [readRecord(body, false, now)], replies: [line('#ASD#1')] }),
  D: (body, now) => ({ messages: [readRecord(body, true, now)], replies: [line('#AD#1')] }),
  B: readStored,
  M: readDriverText,
  I: (body, _now, { block, state }) => readPhotoBlock(body, block, state),
  IT: readFileInfo,
  T: (body, _now, { block, state }) => readTachographBlock(body, block, state),
};

/** Id and password, behind a version from 2.0 on. */
function readLogin(body: string): Content {
  const fields = body.split(';');
  if (/^\d\.\d$/.test(fields[0] ?? '')) fields.shift();
  const [id = '', password = ''] = fields;
  if (!ID.test(id)) throw new CodecError('bad-text', 'no device id');
  return {
    messages: [
      password === '' || password === 'NA' ? { type: 'login', ids: [id] } : { type: 'login', ids: [id], password },
    ],
    replies: [line('#AL#1'), { when: 'refused', bytes: fromLatin1('#AL#0\r\n') }],
  };
}

/** Text, and in version 2 a checksum behind it: CRC-16/ARC over the text and its semicolon. */
function readDriverText(body: string, now: number): Content {
  const m = /^(.*;)([0-9A-Fa-f]{4})$/su.exec(body);
  const isChecked = m !== null && crc16Arc(new TextEncoder().encode(m[1])) === Number.parseInt(m[2]!, 16);
  const text = isChecked ? m[1]!.slice(0, -1) : body;
  return {
    messages: [statusPosition({ result: text }, now), textAnswer(text)],
    replies: [line('#AM#1')],
  };
}

const CHECKSUM = /^(?:0x)?[0-9A-Fa-f]{1,4}$/;

/** Messages from the device's memory; one that cannot be read is passed over, and counts. */
function readStored(body: string, now: number): Content {
  const parts = body.split('|');
  while (parts.length > 0 && (parts.at(-1) === '' || CHECKSUM.test(parts.at(-1)!))) parts.pop();
  const messages: Message[] = [];
  for (const part of parts) {
    try {
      const position = readRecord(part, part.split(';').length >= 16, now);
      position.attributes['archive'] = true;
      messages.push(position);
    } catch (error) {
      if (!(error instanceof CodecError)) throw error;
    }
  }
  return { messages, replies: [line(`#AB#${parts.length}`)] };
}
