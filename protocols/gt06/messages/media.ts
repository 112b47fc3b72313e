import { CodecError, fileChunk, Writer } from '#codec';
import type { Field } from '#codec/binary';
import { encodeFrame, type Packet, type Transfer } from '../packet.ts';

const PHOTO_INFO_HEAD = 18;
const MAX_PHOTO_BYTES = 1_024;
/** A device that names more is not believed. */
const MAX_FILE_BYTES = 16 * 1_048_576;

/** Asks for the next piece of a photo. */
function photoRequest({ id, size, received }: Transfer): Uint8Array {
  const content = new Writer(10)
    .u32(id)
    .u32(received)
    .u16(Math.min(MAX_PHOTO_BYTES, size - received));
  return encodeFrame(0x36, content.finish());
}

/** A photo is there (35): its size and id; asked for piece by piece. */
export const PHOTO_INFO: Field<Packet> = ({ reader, into }) => {
  reader.skip(PHOTO_INFO_HEAD);
  const size = reader.u32();
  const id = reader.u32();
  if (size === 0 || size > MAX_FILE_BYTES) throw new CodecError('bad-value', `a photo of ${size} bytes`, reader.offset);
  const photo: Transfer = { id, size, received: 0 };
  into.state = { ...into.state, photo };
  into.reply = photoRequest(photo);
};

/** A piece of a photo (36): the next one is asked for until all have come. One that comes again says nothing new. */
export const PHOTO_DATA: Field<Packet> = ({ reader, into }) => {
  const { state, messages } = into;
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
  const [piece] = fileChunk({ name: `photo-${id}.jpg`, media: 'image', offset, total: photo.size, bytes }, isWhole);
  messages.push(piece);
  const next: Transfer = { ...photo, received };
  into.state = { ...state, photo: next };
  if (!isWhole) into.reply = photoRequest(next);
};

/** A packet of a media file (41); a position comes behind the last one. Only pictures (type 0, format 0) are known. */
export const MEDIA: Field<Packet> = ({ reader, into }) => {
  const { state, messages } = into;
  reader.skip(8);
  const time = reader.u32() * 1000;
  reader.skip(22);
  const id = reader.u32();
  const size = reader.u32();
  const isPicture = reader.u8() === 0;
  if (reader.u8() !== 0 || !isPicture)
    throw new CodecError('unknown-type', 'a file other than a picture', reader.offset);
  reader.skip(1);
  const index = reader.u16();
  const bytes = reader.view(reader.remaining).slice();
  const media = index === 0 ? { id, size, received: 0, next: 0, packet: bytes.length } : state.media;
  if (media?.id !== id || index > media.next!)
    throw new CodecError('bad-value', 'a packet whose place is not known', 2);
  const offset = index === media.next ? media.received : index * media.packet!;
  if (offset + bytes.length > media.size || media.size > MAX_FILE_BYTES)
    throw new CodecError('bad-value', `more than the ${media.size} bytes that were announced`, reader.offset);
  const isNew = index === media.next;
  const received = isNew ? offset + bytes.length : media.received;
  const isWhole = isNew && received === media.size;
  const piece = { name: `media-${id}.jpg`, media: 'image', offset, total: media.size, bytes } as const;
  messages.push(...fileChunk(piece, isWhole, time));
  into.state = { ...state, media: { ...media, received, next: isNew ? index + 1 : media.next! } };
};
