import type { Wanted } from './storage.ts';
import type { RowGroup } from './store.ts';

export interface Range {
  /** offset of the first byte */
  readonly start: number;
  /** offset behind the last byte */
  readonly end: number;
}

/** Numbers of the row groups that may have rows of a device. */
export const groupsOf = (groups: readonly RowGroup[], { deviceId, from, to }: Wanted): number[] =>
  groups.flatMap(({ firstDevice, lastDevice, firstAt, lastAt }, n) => {
    const isOfDevice =
      firstDevice === null || lastDevice === null || (firstDevice <= deviceId && deviceId <= lastDevice);
    const isInTime = firstAt === null || lastAt === null || (firstAt <= to && from <= lastAt);
    return isOfDevice && isInTime ? [n] : [];
  });

/** Joins adjacent ranges up to a maximum size in bytes. */
export function joinRanges(ranges: readonly Range[], most: number): Range[] {
  const joined: Range[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last?.end === start && end - last.start <= most) joined[joined.length - 1] = { start: last.start, end };
    else joined.push({ start, end });
  }
  return joined;
}

const FOOTER_END = 8;
const MAGIC = 'PAR1';

/** Offset at which the metadata of a Parquet file start, from its last bytes; undefined: it is no such file. */
export function footerStart(tail: Buffer, bytes: number): number | undefined {
  if (tail.length < FOOTER_END || tail.toString('latin1', tail.length - MAGIC.length) !== MAGIC) return undefined;
  const start = bytes - FOOTER_END - tail.readUInt32LE(tail.length - FOOTER_END);
  return start < MAGIC.length ? undefined : start;
}
