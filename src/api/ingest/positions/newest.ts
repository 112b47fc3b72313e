import { hasFix, type PositionRow } from './row.ts';

/** How far ahead of now a record may lie and still be the newest of its device. */
export const FUTURE_TOLERANCE_MS = 300_000;

/** The newest record of a device in a batch, and the newest with a fix. */
export interface Newest {
  readonly record: PositionRow;
  readonly fix: PositionRow | undefined;
}

/**
 * One entry a device, by device id so that batches that meet lock rows in the same order. Of records of one time the
 * first that came stays, whatever is sent again.
 */
export function newestOf(rows: readonly PositionRow[], now: number): Newest[] {
  const latest = now + FUTURE_TOLERANCE_MS;
  const records = new Map<number, { record: PositionRow; fix: PositionRow | undefined }>();
  for (const row of rows) {
    if (row.time > latest) continue;
    const known = records.get(row.deviceId);
    if (known === undefined) {
      records.set(row.deviceId, { record: row, fix: hasFix(row) ? row : undefined });
      continue;
    }
    if (row.time > known.record.time) known.record = row;
    if ((known.fix === undefined || row.time > known.fix.time) && hasFix(row)) known.fix = row;
  }
  return [...records.values()].sort((a, b) => a.record.deviceId - b.record.deviceId);
}
