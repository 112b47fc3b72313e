import { type FileChunk, fileChunks, Reader, storedReply, toHex } from '#codec';
import { readLocation } from '../location.ts';
import { message } from '../wire.ts';
import type { Handle, Incoming } from './handle.ts';
import { left } from './incoming.ts';
import { LOCATION_BYTES } from './records.ts';

const KINDS: readonly FileChunk['media'][] = ['image', 'audio', 'video'];
const ENDINGS: readonly string[] = ['jpg', 'tif', 'mp3', 'wav', 'wmv'];

/** 0801: a photo, sound or video with the place where it was taken; answered by 8800 once all of it is here. */
export const media: Handle = (incoming) => {
  const { r, dialect, terminal, messages, replies } = incoming;
  const id = r.view(4);
  const kind = KINDS[r.u8()] ?? 'other';
  const ending = ENDINGS[r.u8()] ?? 'bin';
  const mediaEvent = r.u8();
  const channel = r.u8();
  const place = readPlace(incoming);
  const when = place === undefined ? '' : `-${toHex(place, LOCATION_BYTES - 6)}`;
  const name = `media-${new Reader(id).u32()}-${channel}${when}.${ending}`;
  if (place !== undefined) {
    const position = readLocation(new Reader(place), dialect, 'part');
    Object.assign(position.attributes, { mediaEvent, channel }, kind === 'other' ? {} : { [kind]: name });
    messages.push(position);
  }
  messages.push(...fileChunks(name, kind, r.view(left(incoming)).slice()));
  replies.push(storedReply(message(terminal, 0x8800, 0, id)));
};

/** Head of a location, which some leave out: then a JPEG begins at once. */
function readPlace(incoming: Incoming): Uint8Array | undefined {
  const { r } = incoming;
  if (left(incoming) < LOCATION_BYTES || (r.peekU8() === 0xff && r.peekU8(1) === 0xd8)) return undefined;
  return r.view(LOCATION_BYTES);
}
