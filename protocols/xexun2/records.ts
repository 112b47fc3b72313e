import { CodecError, Draft, type Message, Reader, readOptional } from '#codec';

export type ReadBlock = (reader: Reader, draft: Draft) => void;

/** What the bytes of a number say that was not measured. */
const NO_TIME = 0xffff_ffff;

/** Reads the time of a block. Blocks of one record have one time, or a fix is older than what is said with it. */
export function readTime(reader: Reader, draft: Draft): number | undefined {
  const seconds = reader.u32();
  if (seconds === 0 || seconds === NO_TIME) return undefined;
  const time = seconds * 1000;
  draft.deviceTime = Math.max(draft.deviceTime ?? 0, time);
  return time;
}

/** Whether the bytes are blocks to their end. */
export function areBlocks(bytes: Uint8Array): boolean {
  let at = 0;
  while (at + 1 < bytes.length) at += 2 + bytes[at + 1]!;
  return at === bytes.length;
}

/** Records of blocks, each with its type, length and content; another block `fix` begins another record. */
export function readRecords(reader: Reader, blocks: ReadonlyMap<number, ReadBlock>, fix: number): Message[] {
  if (reader.remaining === 0) return [{ type: 'heartbeat' }];
  const drafts = [new Draft()];
  let hasPlace = false;
  let count = 0;
  while (reader.remaining >= 2) {
    const [type, length] = [reader.u8(), reader.u8()];
    if (length > reader.remaining && count === 0) throw new CodecError('truncated', `block ${type} is not whole`);
    if (type === fix && hasPlace) drafts.push(new Draft());
    hasPlace ||= type === fix;
    const content = new Reader(reader.view(Math.min(length, reader.remaining)));
    readOptional(() => blocks.get(type)?.(content, drafts.at(-1)!));
    count += 1;
  }
  const filled = drafts.filter(({ isEmpty }) => !isEmpty);
  return filled.length === 0 ? [{ type: 'heartbeat' }] : filled.map((draft) => draft.toPosition());
}
