import { CodecError, type Draft, type Reader } from '#codec';
import { Tags } from './tags.ts';

const DAY_MS = 86_400_000;

/** Epoch ms of seconds since the year began; of last year where this year's would lie ahead. */
function instantOf(seconds: number, now: number): number {
  const year = new Date(now).getUTCFullYear();
  const time = Date.UTC(year, 0) + seconds * 1000;
  return time > now + DAY_MS ? Date.UTC(year - 1, 0) + seconds * 1000 : time;
}

/** The minimal data set: 10 bytes of bits, highest first. */
function readMinimal(reader: Reader, now: number, tags: Tags): void {
  // 1 spare, 25 seconds, 1 invalid, 22 longitude, 21 latitude, 1 alarm
  const high = reader.u32();
  const middle = reader.u32();
  const low = reader.u16();
  tags.time = instantOf((high >>> 6) & 0x1ff_ffff, now);
  const longitude = ((high & 0x1f) << 17) | (middle >>> 15);
  const latitude = ((middle & 0x7fff) << 6) | (low >>> 10);
  tags.setFix((high & 0x20) === 0, (180 * latitude) / 2_097_152 - 90, (360 * longitude) / 4_194_304 - 180);
  if (low & 0x200) tags.draft.addAlarm('general');
}

/** The tags that follow the minimal data set, then their values. */
function readListed(reader: Reader, tags: Tags): void {
  const ids = reader.view(reader.u8());
  for (const id of ids) tags.read(id, reader);
}

/** One record into tags that hold something already. */
export function readCompressedRecord(reader: Reader, now: number, tags: Tags): void {
  readMinimal(reader, now, tags);
  readListed(reader, tags);
}

/** Records up to one that is cut off or has a tag of unknown size. */
export function readCompressed(reader: Reader, now: number): Draft[] {
  const drafts: Draft[] = [];
  try {
    while (reader.remaining > 2) {
      const tags = new Tags();
      readMinimal(reader, now, tags);
      drafts.push(tags.close());
      readListed(reader, tags);
    }
  } catch (error) {
    if (!(error instanceof CodecError) || drafts.length === 0) throw error;
  }
  return drafts;
}
