import type { Fixes } from '../../../track/fixes.ts';

/** Which columns a row has: time and place; and speed and ignition; and course. */
export type Columns = 'places' | 'motion' | 'all';

/** ms from the epoch to 2000, PostgreSQL's own */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

/** 8 bytes of µs → epoch ms */
export function readTime(view: DataView, at: number): number {
  const micros = view.getInt32(at) * 0x1_0000_0000 + view.getUint32(at + 4);
  return POSTGRES_EPOCH_MS + Math.floor(micros / 1_000);
}

/**
 * Takes a row of the binary copy format: the number of its columns, then each behind its length: time, latitude and
 * longitude of 8 bytes, speed of 8 or null, ignition of 1 or null, course of 8 or null.
 */
export function fillFix(fixes: Fixes & { count: number }, view: DataView, at: number, columns: Columns): void {
  const i = fixes.count++;
  fixes.at[i] = readTime(view, at + 6);
  fixes.latitude[i] = view.getFloat64(at + 18);
  fixes.longitude[i] = view.getFloat64(at + 30);
  if (columns === 'places') return;
  let next = at + 38;
  if (view.getInt32(next) < 0) {
    fixes.speed[i] = Number.NaN;
    next += 4;
  } else {
    fixes.speed[i] = view.getFloat64(next + 4);
    next += 12;
  }
  const hasIgnition = view.getInt32(next) >= 0;
  fixes.ignition[i] = hasIgnition ? view.getInt8(next + 4) : -1;
  if (columns === 'motion') return;
  next += hasIgnition ? 5 : 4;
  fixes.course[i] = view.getInt32(next) < 0 ? Number.NaN : view.getFloat64(next + 4);
}
