import { type Attributes, CodecError, type Decoded, Draft, Reader, statusPosition, toHex } from '#codec';
import { layout, numberFields } from '#codec/binary';
import { plainText } from '#codec/text';
import { cameraItem } from './camera.ts';
import { CODEC_12, CODEC_13, CODEC_14, CODEC_15, ITEM } from './codecs.ts';
import { loads } from './elements.ts';
import type { Exchange, State } from './state.ts';

const readLoads = layout(numberFields(';', loads, 'UUUUww'));

/** Reads one item and adds what it means. */
type Item = (exchange: Exchange, type: number, content: Reader) => void;

/** Codecs "for communication over GPRS messages" (wiki), by id. */
const items: Readonly<Record<number, Item>> = {
  [CODEC_12]: answerOrPhoto,
  [CODEC_13]: timedText,
  [CODEC_14]: addressedAnswer,
  [CODEC_15]: addressedText,
};

export const isExchange = (codec: number): boolean => codec >= CODEC_12 && codec <= CODEC_15;

/** Items from `start` (behind the codec id) on. No acknowledgement: devices log one as an error. */
export function readExchange(
  bytes: Uint8Array,
  codec: number,
  start: number,
  end: number,
  state: State,
): Decoded<State> {
  const exchange: Exchange = { state, messages: [], replies: [] };
  const reader = new Reader(bytes, start, end);
  for (let count = reader.u8(); count > 0; count--) {
    const type = reader.u8();
    items[codec]!(exchange, type, reader.slice(reader.u32()));
  }
  return exchange;
}

function answerOrPhoto(exchange: Exchange, type: number, content: Reader): void {
  if (type === ITEM.camera) {
    cameraItem(exchange, content);
    return;
  }
  const text = textOf(content);
  const attributes: Attributes = { type };
  if (text === undefined) attributes['result'] = rest(content);
  else if (!axleLoads(content, text, attributes)) attributes['result'] = text;
  exchange.messages.push(statusPosition(attributes));
  if (type === ITEM.answer) answer(exchange, text, content);
}

function answer({ messages }: Exchange, text: string | undefined, content: Reader): void {
  const bytes = content.bytes.slice(content.offset, content.end);
  messages.push({ type: 'answer', outcome: 'done', ...(text === undefined ? { bytes } : { text }) });
}

/** Codec 13: u32 seconds and text; one way. */
function timedText({ messages }: Exchange, _type: number, content: Reader): void {
  const time = content.u32() * 1000;
  const text = textOf(content);
  const driver = text?.startsWith('GTSL') ? text.split('|', 5)[4] : undefined;
  messages.push(
    statusPosition(driver === undefined ? { result: text ?? rest(content) } : { driverUniqueId: driver }, time),
  );
}

/** Codec 14: as 12, with the IMEI in front. */
function addressedAnswer(exchange: Exchange, type: number, content: Reader): void {
  if (type === ITEM.notMine) {
    exchange.messages.push({ type: 'answer', outcome: 'refused' });
    return;
  }
  identify(exchange, content);
  const text = textOf(content);
  exchange.messages.push(statusPosition({ type, result: text ?? rest(content) }));
  if (type === ITEM.answer) answer(exchange, text, content);
}

/** Codec 15: u32 seconds, IMEI, what came over the serial line; one way. */
function addressedText(exchange: Exchange, type: number, content: Reader): void {
  const time = content.u32() * 1000;
  identify(exchange, content);
  exchange.messages.push(statusPosition({ type, result: textOf(content) ?? rest(content) }, time));
}

/** 8 bytes of BCD. Throws CodecError if the connection belongs to another device. */
function identify(exchange: Exchange, content: Reader): void {
  const at = content.offset;
  const digits = content.hex(8);
  const { deviceId } = exchange.state;
  if (!/^\d{16}$/.test(digits)) throw new CodecError('bad-value', 'IMEI is not decimal', at);
  if (deviceId !== undefined && deviceId.padStart(16, '0') !== digits)
    throw new CodecError('bad-value', 'IMEI of another device', at);
  const id = deviceId ?? digits.replace(/^0/, '');
  if (exchange.messages[0]?.type !== 'login') exchange.messages.unshift({ type: 'login', ids: [id] });
  exchange.state = { ...exchange.state, deviceId: id };
}

/** The rest as text, where it is some. The reader stays. */
const textOf = ({ bytes, offset, end }: Reader): string | undefined => plainText(bytes, offset, end);
const rest = ({ bytes, offset, end }: Reader): string => toHex(bytes, offset, end);

/** Scales behind the serial port: `UUUUww` values `;SSS`. */
function axleLoads(content: Reader, text: string, attributes: Attributes): boolean {
  if (!text.startsWith('UUUUww') || !text.endsWith('SSS')) return false;
  readLoads(content, new Draft(attributes));
  return true;
}
