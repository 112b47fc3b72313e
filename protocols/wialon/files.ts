import { fileChunk, type Message, type Reply, storedTextReply, textAnswer } from '#codec';
import { isDigits, utcFromDdmmyyHhmmss } from '#codec/text';

/** A file that is on its way in blocks. */
interface Transfer {
  /** what its blocks repeat */
  readonly key: string;
  readonly name: string;
  /** blocks in all, as the device announces them; of a photo the number of the last one instead */
  readonly count?: number;
  readonly lastIndex?: number;
  /** number of the next block; undefined before the first */
  readonly next?: number;
  /** blocks and bytes so far */
  readonly blocks: number;
  readonly received: number;
}

export interface State {
  readonly file?: Transfer;
}

/** Largest block of a file that is taken; the document recommends up to 50 KB. */
export const MAX_BLOCK_BYTES = 65_000;
/** Largest piece of a file that can be stored. */
const PIECE_BYTES = 32_768;

export interface Content {
  readonly messages: readonly Message[];
  readonly replies: readonly Reply[];
  readonly state?: State;
}

const line = (text: string): Reply => storedTextReply(`${text}\r\n`);
const ALIVE: Message = { type: 'heartbeat' };
const rejected = (text: string): Content => ({ messages: [ALIVE], replies: [line(text)] });

/** Bytes of the block behind a line of type I (size;number;…) or T (code;size;number;…); 0: the line has none. */
export function blockBytes(type: string, body: string): number {
  const fields = body.split(';');
  const size = type === 'I' ? fields[0]! : type === 'T' ? (fields[1] ?? '') : '0';
  return /^\d{1,5}$/.test(size) && Number(size) <= MAX_BLOCK_BYTES ? Number(size) : 0;
}

const COUNT = /^\d{1,6}$/;
const safe = (text: string): string => text.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 60);

/**
 * Source: Wialon IPS 2.0, information about a tachograph file: date; time; driver; code; number of blocks; checksum. The code
 * is that of an error, and empty if there is none.
 */
export function readFileInfo(body: string, now: number): Content {
  const [date = '', time = '', driver = '', code = '', count = ''] = body.split(';');
  if (!COUNT.test(count) || Number(count) === 0) return rejected('#AIT#0');
  const sent = isDigits(date, 6) && isDigits(time.slice(0, 6), 6) ? utcFromDdmmyyHhmmss(date, time.slice(0, 6)) : now;
  const at = Number.isNaN(sent) ? now : sent;
  const stamp = new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '_');
  const whose = driver === '' || driver === 'NA' ? [] : [safe(driver)];
  const name = `${[...whose, stamp, ...(code === '' ? [] : [safe(code)])].join('_')}.ddd`;
  const error = code === '' ? '' : `, code ${safe(code)}`;
  return {
    messages: [textAnswer(`${name}, ${count} blocks${error}`)],
    replies: [line('#AIT#1')],
    state: { file: { key: `T${code}`, name, count: Number(count), blocks: 0, received: 0 } },
  };
}

/** Source: as before, block of a tachograph file: code; size; number; checksum; then the bytes. */
export function readTachographBlock(body: string, bytes: Uint8Array, state: State): Content {
  const [code = '', , index = ''] = body.split(';');
  const { file } = state;
  if (!COUNT.test(index) || file?.key !== `T${code}`) return rejected(`#AT#${safe(index)};0`);
  return readBlock('AT', Number(index), bytes, file, 'other');
}

/** Source: Wialon IPS 1.1 and 2.0, photo: size; number from zero; number of the last block; date; time; name; the bytes. */
export function readPhotoBlock(body: string, bytes: Uint8Array, state: State): Content {
  const [, index = '', count = '', date = '', time = '', name = ''] = body.split(';');
  if (!COUNT.test(index) || !COUNT.test(count)) return rejected(`#AI#${safe(index)};0`);
  const key = `I${date};${time};${name}`;
  const begun = { key, name: safe(`${date}-${time}-${name}`), lastIndex: Number(count), blocks: 0, received: 0 };
  return readBlock('AI', Number(index), bytes, state.file?.key === key ? state.file : begun, 'image');
}

/**
 * The blocks follow each other, and the first one is 0 or 1. A repeated block is acknowledged again, one that is ahead is
 * not. A block behind the last one that was announced lengthens the file.
 */
function readBlock(
  answer: 'AT' | 'AI',
  index: number,
  bytes: Uint8Array,
  file: Transfer,
  media: 'other' | 'image',
): Content {
  const accepted = line(`#${answer}#${index};1`);
  const next = file.next ?? Math.min(index, 1);
  if (bytes.length === 0 || index > next) return rejected(`#${answer}#${index};0`);
  const blocks = index < next ? file.blocks : file.blocks + 1;
  const isLast = file.lastIndex === undefined ? blocks >= (file.count ?? 0) : index >= file.lastIndex;
  const replies = isLast ? [accepted, line(`#${answer}#1`)] : [accepted];
  if (index < next) return { messages: [ALIVE], replies };
  const messages: Message[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const piece = bytes.subarray(at, at + PIECE_BYTES);
    const isEnd = isLast && at + piece.length === bytes.length;
    messages.push(...fileChunk({ name: file.name, media, offset: file.received + at, bytes: piece }, isEnd));
  }
  return {
    messages,
    replies,
    state: { file: { ...file, next: next + 1, blocks, received: file.received + bytes.length } },
  };
}
