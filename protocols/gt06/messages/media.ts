import { CodecError } from '#codec';
import { encodeFrame, type Packet, type Transfer } from '../packet.ts';

const PHOTO_INFO_HEAD = 18;
const MOST_PHOTO_BYTES = 1_024;
/** A device that names more is not believed. */
const LARGEST_FILE = 16 * 1_048_576;

/** Asks for the next piece of a photo. */
function photoRequest({ id, size, received }: Transfer): Uint8Array {
  const content = new Uint8Array(10);
  const view = new DataView(content.buffer);
  view.setUint32(0, id);
  view.setUint32(4, received);
  view.setUint16(8, Math.min(MOST_PHOTO_BYTES, size - received));
  return encodeFrame(0x36, content, 0, 0);
}

/** A photo is there (35): its size and id; asked for piece by piece. */
export function readPhotoInfo(packet: Packet): void {
  const { reader } = packet;
  reader.skip(PHOTO_INFO_HEAD);
  const size = reader.u32();
  const id = reader.u32();
  if (size === 0 || size > LARGEST_FILE) throw new CodecError('bad-value', `a photo of ${size} bytes`, reader.offset);
  const photo: Transfer = { id, size, received: 0 };
  packet.state = { ...packet.state, photo };
  packet.reply = photoRequest(photo);
}

/** A piece of a photo (36): the next one is asked for until all have come. One that comes again says nothing new. */
export function readPhotoData(packet: Packet): void {
  const { reader, state, messages } = packet;
  const id = reader.u32();
  const offset = reader.u32();
  const bytes = reader.view(reader.u16()).slice();
  const { photo } = state;
  if (photo?.id !== id || offset > photo.received || offset + bytes.length > photo.size)
    throw new CodecError('bad-value', 'a piece of a photo that was not asked for', reader.offset);
  // Asking again for what came twice, or for what is empty, could go on for ever.
  const received = offset + bytes.length;
  if (received <= photo.received) return;
  const isWhole = received === photo.size;
  const last = isWhole ? { last: true as const } : {};
  messages.push({ type: 'file', name: `photo-${id}.jpg`, media: 'image', offset, total: photo.size, bytes, ...last });
  const next: Transfer = { ...photo, received };
  packet.state = { ...state, photo: next };
  if (!isWhole) packet.reply = photoRequest(next);
}

/** A packet of a media file (41); false while the file is not complete. Only pictures (type 0, format 0) are known. */
export function readMedia(packet: Packet): boolean {
  const { reader, state, draft, messages } = packet;
  reader.skip(8);
  const time = reader.u32() * 1000;
  reader.skip(22);
  const id = reader.u32();
  const size = reader.u32();
  const isPicture = reader.u8() === 0;
  if (reader.u8() !== 0 || !isPicture) return false;
  reader.skip(1);
  const index = reader.u16();
  const bytes = reader.view(reader.remaining).slice();
  const media = index === 0 ? { id, size, received: 0, next: 0, packet: bytes.length } : state.media;
  if (media?.id !== id || index > media.next!)
    throw new CodecError('bad-value', 'a packet whose place is not known', 2);
  const offset = index === media.next ? media.received : index * media.packet!;
  if (offset + bytes.length > media.size || media.size > LARGEST_FILE)
    throw new CodecError('bad-value', `more than the ${media.size} bytes that were announced`, reader.offset);
  const isNew = index === media.next;
  const received = isNew ? offset + bytes.length : media.received;
  const isWhole = isNew && received === media.size;
  const name = `media-${id}.jpg`;
  const last = isWhole ? { last: true as const } : {};
  messages.push({ type: 'file', name, media: 'image', offset, total: media.size, bytes, ...last });
  packet.state = { ...state, media: { ...media, received, next: isNew ? index + 1 : media.next! } };
  if (!isWhole) return false;
  draft.deviceTime = time;
  draft.attributes['image'] = name;
  return true;
}
