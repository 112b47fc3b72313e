import { type FileChunk, type Position, Reader, toHex } from '#codec';
import { readLocation } from '../location.ts';
import { message } from '../wire.ts';
import type { Handle, Incoming } from './incoming.ts';
import { left } from './incoming.ts';
import { LOCATION_BYTES } from './records.ts';

const KINDS: readonly FileChunk['media'][] = ['image', 'audio', 'video'];
const ENDINGS: readonly string[] = ['jpg', 'tif', 'mp3', 'wav', 'wmv'];
const CHUNK_BYTES = 32_768;

/** 0801: a photo, sound or video with the place where it was taken; answered by 8800 once all of it is here. */
export const media: Handle = (incoming) => {
  const { r, dialect, terminal, messages, replies } = incoming;
  const id = r.u32();
  const kind = KINDS[r.u8()] ?? 'other';
  const ending = ENDINGS[r.u8()] ?? 'bin';
  const event = r.u8();
  const channel = r.u8();
  const place = readPlace(incoming);
  const when = place === undefined ? '' : `-${place.taken}`;
  const name = `media-${id}-${channel}${when}.${ending}`;
  if (place !== undefined) {
    const position = readLocation(new Reader(place.bytes), dialect);
    messages.push(withMedia(position, kind === 'other' ? {} : { [kind]: name }, { mediaEvent: event, channel }));
  }
  pushChunks(messages, name, kind, r.view(left(incoming)).slice());
  replies.push({
    when: 'stored',
    bytes: message(terminal, 0x8800, 0, Uint8Array.of(id >>> 24, id >>> 16, id >>> 8, id)),
  });
};

const withMedia = (position: Position, ...more: Position['attributes'][]): Position => ({
  ...position,
  attributes: Object.assign({}, position.attributes, ...more),
});

/** Head of a location, which some leave out: then a JPEG begins at once. */
function readPlace(incoming: Incoming): { bytes: Uint8Array; taken: string } | undefined {
  const { r } = incoming;
  if (left(incoming) < LOCATION_BYTES || (r.peekU8() === 0xff && r.peekU8(1) === 0xd8)) return undefined;
  const bytes = r.view(LOCATION_BYTES);
  return { bytes, taken: toHex(bytes, LOCATION_BYTES - 6) };
}

function pushChunks(messages: Incoming['messages'], name: string, kind: FileChunk['media'], data: Uint8Array): void {
  for (let offset = 0; offset < data.length; offset += CHUNK_BYTES) {
    const bytes = data.subarray(offset, offset + CHUNK_BYTES);
    const last = offset + CHUNK_BYTES >= data.length;
    const chunk = { type: 'file', name, media: kind, offset, total: data.length, bytes } as const;
    messages.push(last ? { ...chunk, last } : chunk);
  }
}
