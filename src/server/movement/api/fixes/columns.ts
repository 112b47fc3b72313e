import { readTimestamp } from '../../../database/index.ts';
import type { Fixes } from '../../track/fixes.ts';

/** Which columns a row has: time and place; and speed and ignition; and course and altitude. */
export type Columns = 'places' | 'motion' | 'all';

/**
 * Takes a row of the binary copy format: the number of its columns, then each behind its length: time, latitude and
 * longitude of 8 bytes, speed of 8 or null, ignition of 1 or null, course and altitude of 8 or null.
 */
export function fillFix(fixes: Fixes & { count: number }, view: DataView, at: number, columns: Columns): void {
  const i = fixes.count++;
  fixes.at[i] = readTimestamp(view, at + 6);
  fixes.latitude[i] = view.getFloat64(at + 18);
  fixes.longitude[i] = view.getFloat64(at + 30);
  if (columns === 'places') return;
  let next = at + 38;
  fixes.speed[i] = numberAt(view, next);
  next += lengthAt(view, next);
  const hasIgnition = view.getInt32(next) >= 0;
  fixes.ignition[i] = hasIgnition ? view.getInt8(next + 4) : -1;
  if (columns === 'motion') return;
  next += hasIgnition ? 5 : 4;
  fixes.course[i] = numberAt(view, next);
  next += lengthAt(view, next);
  fixes.altitude[i] = numberAt(view, next);
}

/** A double behind its length; NaN for null. */
const numberAt = (view: DataView, at: number): number => (view.getInt32(at) < 0 ? Number.NaN : view.getFloat64(at + 4));
const lengthAt = (view: DataView, at: number): number => (view.getInt32(at) < 0 ? 4 : 12);
