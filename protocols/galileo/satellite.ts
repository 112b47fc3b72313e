import { CodecError, type DecodeContext, degreesFromMinutes, fixFlags, type Message, Reader } from '#codec';
import { readCompressedRecord } from './compressed.ts';
import { Tags } from './tags.ts';

const HEMISPHERES = fixFlags({ south: 0x02, west: 0x01 });

/**
 * An Iridium message (short burst data, direct IP; big endian): place and time by the satellite, which the device's own
 * in the payload are better than.
 */
export function readSatellite(
  bytes: Uint8Array,
  { options, now }: Pick<DecodeContext<unknown>, 'options' | 'now'>,
): Message[] {
  const reader = new Reader(bytes, 6);
  const tags = new Tags();
  tags.draft.attributes['index'] = reader.u32();
  const id = reader.latin1(15);
  reader.skip(5);
  tags.time = reader.u32() * 1000;
  reader.skip(3);
  const flags = reader.u8();
  const latitude = degreesFromMinutes(reader.u8(), reader.u16() / 1_000);
  const longitude = degreesFromMinutes(reader.u8(), reader.u16() / 1_000);
  tags.setFix(false, HEMISPHERES.latitude(flags, latitude), HEMISPHERES.longitude(flags, longitude));
  try {
    reader.skip(5);
    const length = reader.u16();
    const payload = reader.slice(Math.min(length, reader.remaining));
    if (options['compressed'] === true) readCompressedRecord(payload, now, tags);
    else while (payload.remaining > 0) tags.read(payload.u8(), payload);
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
  }
  return [{ type: 'login', ids: [id] }, tags.close().toPosition()];
}
