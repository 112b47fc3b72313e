import { type Known, KnownValues } from './known.ts';
import { hasFix, type PositionRow } from './row.ts';

/** How far ahead of now a record may lie and still be the newest of its device. */
export const FUTURE_TOLERANCE_MS = 300_000;

/** The newest record of a device in a batch, the newest with a fix, and the newest values of all its records. */
export interface Newest {
  readonly record: PositionRow;
  readonly fix: PositionRow | undefined;
  readonly known: Known;
}

/** Epoch ms of which a record's values are: of the device's clock, even where an older fix goes with them. */
export const valuesAt = (deviceTime: number | undefined, time: number): number => deviceTime ?? time;

/**
 * One entry a device, by device id so that batches that meet lock rows in the same order. Of records of one time the
 * first that came stays, whatever is sent again.
 */
export function newestOf(rows: readonly PositionRow[], now: number): Newest[] {
  const latest = now + FUTURE_TOLERANCE_MS;
  const devices = new Map<number, PositionRow[]>();
  for (const row of rows) {
    if (row.time > latest) continue;
    const known = devices.get(row.deviceId);
    if (known === undefined) devices.set(row.deviceId, [row]);
    else known.push(row);
  }
  return [...devices.entries()].sort(([a], [b]) => a - b).map(([, own]) => newestOfDevice(own, latest));
}

function newestOfDevice(
  rows: readonly [PositionRow, ...PositionRow[]] | readonly PositionRow[],
  latest: number,
): Newest {
  let record = rows[0]!;
  let fix: PositionRow | undefined;
  for (const row of rows) {
    if (row.time > record.time) record = row;
    if ((fix === undefined || row.time > fix.time) && hasFix(row)) fix = row;
  }
  const known = new KnownValues();
  const at = (row: PositionRow): number => valuesAt(row.deviceTime, row.time);
  for (const row of rows.filter((r) => at(r) <= latest).sort((a, b) => at(b) - at(a)))
    known.add(row.attributes, at(row));
  return { record, fix, known: known.take() };
}
