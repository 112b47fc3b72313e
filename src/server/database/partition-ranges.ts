import { DAY_MS } from '../../platform/durations.ts';

/** Times that one partition holds: `first` and `next` are epoch ms, `name` ends the name of its table. */
export interface PartitionRange {
  readonly first: number;
  /** first instant of the next partition */
  readonly next: number;
  readonly name: string;
}

/** The month that contains the time; its name is like 202601. */
export function monthOf(epochMs: number): PartitionRange {
  const date = new Date(epochMs);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const name = `${String(year).padStart(4, '0')}${String(month + 1).padStart(2, '0')}`;
  return { first: utc(year, month), next: utc(year, month + 1), name };
}

/** The day (UTC) that contains the time; its name is like 20260131. */
export function dayOf(epochMs: number): PartitionRange {
  const first = Math.floor(epochMs / DAY_MS) * DAY_MS;
  return { first, next: first + DAY_MS, name: new Date(first).toISOString().slice(0, 10).replaceAll('-', '') };
}

/** Date.UTC, without its reading of the years 0 to 99 as 1900 to 1999 */
function utc(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 1);
  return date.getTime();
}
