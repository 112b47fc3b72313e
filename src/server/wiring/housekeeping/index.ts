import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/durations.ts';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop } from '../../../platform/poll-loop.ts';
import { dayOf, isDatabaseAway, transaction } from '../../database/index.ts';
import type { History } from '../../history/index.ts';
import { forgetOld } from '../../kernel/idempotency/index.ts';
import { foldUsage } from '../../kernel/usage/index.ts';
import { forgetDeliveries } from '../../live/callbacks/index.ts';
import { forgetCopies, forgetTachograph, type TachographRetention } from '../../tachograph/index.ts';
import * as store from './store.ts';

export interface HousekeepingDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  /** 0: unlimited */
  readonly retentionDays: number;
  readonly rawRetentionDays: number;
  readonly commandRetentionDays: number;
  /** retention of photos, videos, sounds and other files of devices */
  readonly deviceFileRetentionDays: number;
  readonly knownLimits: store.KnownLimits;
  readonly tachograph: TachographRetention;
  /** positions that are in files */
  readonly history?: Pick<History, 'erase' | 'clean'> | undefined;
  /** raw frames are moved to files: they stay rows until then */
  readonly movesFrames?: boolean | undefined;
}

export interface Housekeeping {
  /** One round, unless another process holds the lock. */
  run(): Promise<void>;
  /** Runs a round each hour. */
  start(): void;
  stop(): Promise<void>;
}

const FIRST_AFTER_MS = 60_000;
/** Commands that one transaction deletes. */
const COMMANDS = 5_000;
const DEVICE_FILES = 500;

/** Deletes records after their retention, by whole partitions where possible, and the rest of removed devices. */
export function createHousekeeping(deps: HousekeepingDeps): Housekeeping {
  const { pool, clock, log } = deps;
  const round = async (): Promise<void> => {
    const done = await transaction(pool, async (tx) => {
      if (!(await store.tryLock(tx))) return undefined;
      const now = clock.now();
      await forgetOld(tx);
      await store.forgetOver(tx, now);
      await forgetDeliveries(tx);
      await store.forgetMessages(tx);
      await foldUsage(tx, now);
      return {
        tachograph: await forgetTachograph(tx, deps.tachograph, now),
        timeline: await retainTimeline(tx, deps, now),
        positions: await retainPositions(tx, deps, now),
        removed: await store.listRemoved(tx),
      };
    });
    if (done === undefined) return;
    const commands = await forgetCommands(deps);
    // after the tachograph archive, so that copies of files that it has just removed are deleted too
    const copies = await forgetCopies(pool, deps.tachograph.fileDays, clock.now());
    const deviceFiles = await forgetDeviceFiles(deps);
    // one transaction per device: years of records take long
    for (const id of done.removed) {
      // files first: once the rows are deleted, the device is not found again
      if ((await deps.history?.erase(id)) !== false) await transaction(pool, (tx) => store.purgeDevice(tx, id));
    }
    const kept = deps.retentionDays === 0 ? undefined : clock.now() - deps.retentionDays * DAY_MS;
    await deps.history?.clean(kept);
    log.debug({ ...done, commands, copies, deviceFiles }, 'housekeeping done');
  };
  const loop = createPollLoop({
    everyMs: HOUR_MS,
    firstAfterMs: FIRST_AFTER_MS,
    async round() {
      await round();
      return false;
    },
    onError(error) {
      if (isDatabaseAway(error)) log.warn({ reason: error.message }, 'housekeeping waits for the database');
      else log.error({ err: error }, 'housekeeping failed');
    },
  });
  return { run: round, start: () => loop.start(), stop: () => loop.stop() };
}

const forgetCommands = ({ pool, clock, commandRetentionDays: days }: HousekeepingDeps): Promise<number> =>
  inPortions(COMMANDS, days, clock.now(), (before) =>
    transaction(pool, (tx) => store.deleteEndedCommands(tx, before, COMMANDS)),
  );

const forgetDeviceFiles = ({ pool, clock, deviceFileRetentionDays: days }: HousekeepingDeps): Promise<number> =>
  inPortions(DEVICE_FILES, days, clock.now(), (before) =>
    transaction(pool, (tx) => store.deleteDeviceFiles(tx, before, DEVICE_FILES)),
  );

/** Deletes in portions, each in a short transaction. Number of rows. */
async function inPortions(
  most: number,
  days: number,
  now: number,
  remove: (before: string) => Promise<number>,
): Promise<number> {
  if (days === 0) return 0;
  const before = new Date(now - days * DAY_MS).toISOString();
  for (let removed = 0; ; ) {
    const count = await remove(before);
    removed += count;
    if (count < most) return removed;
  }
}

async function retainTimeline(tx: pg.PoolClient, deps: HousekeepingDeps, now: number): Promise<number> {
  const { rawRetentionDays: days, movesFrames = false } = deps;
  if (!movesFrames) return retain(tx, 'timeline', days, now);
  const oldest = await store.oldestFrame(tx);
  return retain(tx, 'timeline', days, now, oldest);
}

/** Deletes records after their retention, but none from `first` (epoch ms) on. */
async function retain(
  tx: pg.PoolClient,
  parent: 'position' | 'timeline',
  days: number,
  now: number,
  first = Number.POSITIVE_INFINITY,
): Promise<number> {
  if (days === 0) return 0;
  const limit = Math.min(now - days * DAY_MS, first);
  const { name } = dayOf(limit);
  const dropped = await store.dropPartitions(tx, parent, name);
  const before = new Date(limit).toISOString();
  await store.deleteBefore(tx, parent, before);
  return dropped;
}

async function retainPositions(tx: pg.PoolClient, deps: HousekeepingDeps, now: number): Promise<number> {
  const { retentionDays: days, knownLimits } = deps;
  const dropped = await retain(tx, 'position', days, now);
  if (days > 0) await store.forgetDays(tx, new Date(now - days * DAY_MS).toISOString());
  if (days > 0) await store.forgetNewest(tx, new Date(now - days * DAY_MS).toISOString(), knownLimits);
  return dropped;
}
