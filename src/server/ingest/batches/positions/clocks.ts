import { rememberLast } from './remember-last.ts';
import type { PositionRow } from './row.ts';

/** From which difference on the clock of a device was wrong. */
export interface ClockLimits {
  /** a record further ahead of its arrival, ms */
  readonly aheadMs: number;
  /** a record further from the ones before and behind it, ms */
  readonly apartMs: number;
}

/** Records in the order of their arrival. Times are epoch ms. */
export interface Clocked {
  readonly count: number;
  deviceId(index: number): number;
  time(index: number): number;
  serverTime(index: number): number;
}

class ClockedRows implements Clocked {
  readonly #rows: readonly PositionRow[];

  constructor(rows: readonly PositionRow[]) {
    this.#rows = rows;
  }

  get count(): number {
    return this.#rows.length;
  }

  deviceId(index: number): number {
    return this.#rows[index]!.deviceId;
  }

  time(index: number): number {
    return this.#rows[index]!.time;
  }

  serverTime(index: number): number {
    return this.#rows[index]!.serverTime;
  }
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Indices of the records whose time cannot be right: ahead of their arrival, or the only one of its device in the batch
 * at that time, between two that follow each other. Two late records confirm each other: a backlog is not suspect. What
 * is ahead of the server time only is not suspect: the clock of the gateway may be slow.
 */
export function findSuspects(records: Clocked, { aheadMs, apartMs }: ClockLimits, now: number): ReadonlySet<number> {
  const found = new Set<number>();
  let isApart = false;
  const devices = new Map<number, { time: number | undefined }>();
  const recordBefore = rememberLast((device: number) => {
    const before = devices.get(device) ?? { time: undefined };
    devices.set(device, before);
    return before;
  });
  for (let index = 0; index < records.count; index++) {
    const time = records.time(index);
    const before = recordBefore(records.deviceId(index));
    if (time - Math.max(records.serverTime(index), now) > aheadMs) found.add(index);
    isApart ||= Math.abs(time - (before.time ?? time)) > apartMs;
    before.time = time;
  }
  if (isApart) addIsolated(records, apartMs, found);
  return found.size === 0 ? NONE : found;
}

function addIsolated(records: Clocked, apartMs: number, found: Set<number>): void {
  const devices = new Map<number, number[]>();
  for (let index = 0; index < records.count; index++) {
    if (found.has(index)) continue;
    const device = records.deviceId(index);
    const own = devices.get(device);
    if (own === undefined) devices.set(device, [index]);
    else own.push(index);
  }
  for (const own of devices.values()) {
    for (let i = 1; i < own.length - 1; i++) {
      const time = records.time(own[i]!);
      const before = records.time(own[i - 1]!);
      const next = records.time(own[i + 1]!);
      if (Math.abs(before - time) <= apartMs || Math.abs(next - time) <= apartMs) continue;
      if (Math.abs(before - next) <= apartMs && isAlone(records, own, i, apartMs)) found.add(own[i]!);
    }
  }
}

/** Whether no other record of the device, of those at `own`, is near the one at `own[place]`. */
function isAlone(records: Clocked, own: readonly number[], place: number, apartMs: number): boolean {
  const time = records.time(own[place]!);
  for (let i = 0; i < own.length; i++) {
    if (i !== place && Math.abs(records.time(own[i]!) - time) <= apartMs) return false;
  }
  return true;
}

/** Marks a record that is stored but affects no state. */
export const markSuspect = <T extends PositionRow>(row: T): T => ({ ...row, valid: false, clockSuspect: true });

/** The rows, those with a wrong time marked. */
export function checkClocks<T extends PositionRow>(rows: readonly T[], limits: ClockLimits, now: number): readonly T[] {
  const suspects = findSuspects(new ClockedRows(rows), limits, now);
  return suspects.size === 0 ? rows : rows.map((row, index) => (suspects.has(index) ? markSuspect(row) : row));
}
