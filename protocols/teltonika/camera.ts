import { fileChunk, type Reader, storedReply, Writer } from '#codec';
import { CODEC_12, ITEM } from './codecs.ts';
import { itemPacket } from './packet.ts';
import type { Exchange } from './state.ts';

/** Bytes that one request asks for at most. */
const PIECE_BYTES = 2048;
const START = 1;
const DATA = 2;

/** Codec 12 items of type 0D: a photo is announced, then fetched piece by piece (sub-types 1 and 2; others say nothing). */
export function cameraItem(exchange: Exchange, content: Reader): void {
  const kind = content.u8();
  if (kind === START) startPhoto(exchange, content);
  else if (kind === DATA) takePiece(exchange, content);
}

function startPhoto(exchange: Exchange, content: Reader): void {
  const id = content.u32();
  const total = content.remaining >= 4 ? content.u32() : undefined;
  exchange.state = { ...exchange.state, photo: { id, total } };
  if (total !== 0) request(exchange, id, 0, total);
}

function takePiece(exchange: Exchange, content: Reader): void {
  const id = content.u32();
  const offset = content.u32();
  const bytes = content.view(content.u16()).slice();
  const { photo } = exchange.state;
  const total = photo?.id === id ? photo.total : undefined;
  const name = `${id.toString(16).padStart(8, '0')}.jpg`;
  const end = offset + bytes.length;
  const isLast = total === undefined ? bytes.length < PIECE_BYTES : end >= total;
  exchange.messages.push(...fileChunk({ name, media: 'image', offset, total, bytes }, isLast));
  if (isLast) exchange.state = { ...exchange.state, photo: undefined };
  else if (bytes.length > 0) request(exchange, id, end, total);
}

/** Asks for the next piece, once this one is safe. */
function request(exchange: Exchange, id: number, offset: number, total: number | undefined): void {
  const size = total === undefined ? PIECE_BYTES : Math.min(PIECE_BYTES, total - offset);
  const body = new Writer(11).u8(DATA).u32(id).u32(offset).u16(size).finish();
  exchange.replies.push(storedReply(itemPacket(CODEC_12, ITEM.camera, body)));
}
