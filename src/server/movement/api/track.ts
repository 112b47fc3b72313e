import type pg from 'pg';
import { HOUR_MS } from '../../../platform/durations.ts';
import type { Columns } from './fixes/columns.ts';
import { type FeedFixes, readFixes } from './fixes/store.ts';
import type { MovingVehicle } from './vehicle-lookup.ts';

export interface TrackOptions {
  readonly signal: AbortSignal;
  /** columns besides time and place; speed and ignition by default */
  readonly columns?: Columns;
  /** before the fixes of another device */
  readonly onChange?: () => void;
}

/** Feeds the valid fixes of a vehicle, in order: those of the devices that it carried, each in its time. */
export async function readTrack(
  streams: pg.Pool,
  tenantId: number,
  { carried }: MovingVehicle,
  feed: FeedFixes,
  { signal, columns, onChange }: TrackOptions,
): Promise<void> {
  for (const [i, { device, from, to }] of carried.entries()) {
    if (i > 0) onChange?.();
    if (!device.hasPosition) continue;
    await readFixes(streams, tenantId, { deviceId: device.id, from, to }, feed, {
      signal,
      ...(columns === undefined ? {} : { columns }),
    });
  }
}

const FIRST_PART_MS = 4 * HOUR_MS;
const MIN_PART_MS = 60_000;
const FEW = 8_192;
const MANY = 32_768;

export interface PartOptions extends Omit<TrackOptions, 'onChange'> {
  /** is waited for after each part, while no connection is held */
  readonly settle: () => Promise<void>;
  /** maximum number of fixes */
  readonly most?: number;
}

/**
 * The same for answers that a client may take its time to read: part by part, some ten thousand fixes each, so that a
 * slow client holds none of the few connections and no statement of his lasts long.
 */
export async function readTrackInParts(
  streams: pg.Pool,
  tenantId: number,
  { carried }: MovingVehicle,
  feed: FeedFixes,
  { signal, columns, settle, most = Number.POSITIVE_INFINITY }: PartOptions,
): Promise<void> {
  let left = most;
  let lengthMs = FIRST_PART_MS;
  for (const { device, from, to } of carried) {
    if (!device.hasPosition) continue;
    for (let first = from; first <= to && left > 0; ) {
      const last = Math.min(to, first + lengthMs - 1);
      let count = 0;
      const counted: FeedFixes = (fixes) => {
        count += fixes.count;
        return feed(fixes);
      };
      await readFixes(streams, tenantId, { deviceId: device.id, from: first, to: last }, counted, {
        signal,
        ...(columns === undefined ? {} : { columns }),
        ...(Number.isFinite(left) ? { most: left } : {}),
      });
      await settle();
      left -= count;
      first = last + 1;
      if (count < FEW) lengthMs *= 2;
      else if (count > MANY) lengthMs = Math.max(MIN_PART_MS, lengthMs / 2);
    }
  }
}
