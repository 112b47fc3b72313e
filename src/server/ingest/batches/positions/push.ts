import type pg from 'pg';
import type { z } from 'zod';
import { pushedPosition } from '../../../../contract/internal.ts';
import type { PositionRecord } from '../../../../contract/position.ts';
import type { Clock } from '../../../../platform/clock.ts';
import { AppError } from '../../../../platform/errors.ts';
import { applyRows, createDuplicateHeuristic, transaction } from '../../../database/index.ts';
import type { Directory } from '../../../devices/directory/index.ts';
import { readerOf } from '../../../history/index.ts';
import { compileCheck, refuseUnknown } from '../../../kernel/http/index.ts';
import type { Feed } from '../../feed/index.ts';
import type { RecordCounter } from '../counts.ts';
import type { Partitions } from '../partitions.ts';
import { addTenants } from './batch.ts';
import { type ClockLimits, checkClocks } from './clocks.ts';
import type { KnownLimits } from './known.ts';
import { checkPlaces } from './places.ts';
import type { RecentIds } from './recent-ids.ts';
import { type PositionRow, toRow } from './row.ts';
import { writePositions } from './write.ts';

export interface PushAnswer {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly { readonly index: number; readonly code: string; readonly detail: string }[];
}

export interface PushService {
  /**
   * Stores what is new of a batch. Without a tenant (the installation's own services) devices of every tenant are
   * taken. Throws AppError `malformed`, `too-large`, `unavailable`; a record that cannot be taken is in `rejected`.
   */
  push(tenantId: number | undefined, body: unknown): Promise<PushAnswer>;
}

export interface PushDeps {
  readonly pool: pg.Pool;
  readonly directory: Directory;
  readonly months: Partitions;
  readonly clock: Clock;
  readonly autoRegister: boolean;
  readonly defaultTenantId: number;
  readonly counter?: RecordCounter | undefined;
  readonly feed?: Feed | undefined;
  readonly recentIds: RecentIds;
  readonly clockLimits: ClockLimits;
  readonly knownLimits: KnownLimits;
}

export const MAX_POSITIONS = 5_000;
const check = compileCheck(refuseUnknown(pushedPosition));

type Indexed<T> = T & { readonly index: number };

export function createPushService(deps: PushDeps): PushService {
  const { knownLimits } = deps;
  const duplicates = createDuplicateHeuristic('careful');
  return {
    async push(tenantId, body) {
      const rejected: PushAnswer['rejected'][number][] = [];
      const records = readRecords(body, rejected);
      const resolved = await resolve(records, tenantId, rejected, deps);
      const checked = checkPlaces(checkClocks(resolved, deps.clockLimits, deps.clock.now()));
      const filed = (await readerOf(deps.pool)?.findKnown(checked)) ?? new Set();
      const rows = filed.size === 0 ? checked : checked.filter((_, n) => !filed.has(n));
      if (deps.recentIds.note(rows)) duplicates.duplicatesFound();
      await deps.months.ensure(rows.map(({ time }) => time));
      const outcome = await transaction(deps.pool, async (tx) => {
        const refused: PushAnswer['rejected'][number][] = [];
        const stored = new Map<number, number>();
        await applyRows(tx, rows, {
          duplicates,
          apply: async (part, mode) => {
            const how = { now: deps.clock.now(), mode, knownLimits, feed: deps.feed };
            addTenants(stored, await writePositions(tx, part, how));
          },
          refused: ({ index }) => {
            refused.push({ index, code: 'unstorable', detail: 'the database refuses this record' });
          },
        });
        return { stored, accepted: [...stored.values()].reduce((sum, count) => sum + count, 0), refused };
      });
      const devices = checked.map(({ deviceId: id, tenantId }) => ({ id, tenantId }));
      deps.counter?.countReceived('positions', devices, 0);
      for (const [tenant, count] of outcome.stored) deps.counter?.countStored(tenant, count);
      rejected.push(...outcome.refused);
      return {
        accepted: outcome.accepted,
        duplicates: checked.length - outcome.refused.length - outcome.accepted,
        rejected: rejected.sort((a, b) => a.index - b.index),
      };
    },
  };
}

function readRecords(body: unknown, rejected: PushAnswer['rejected'][number][]): Indexed<{ record: PositionRecord }>[] {
  const { positions } = (body ?? {}) as { positions?: unknown };
  if (!Array.isArray(positions) || positions.length === 0) {
    throw new AppError('invalid', 'The body is not valid', [
      { pointer: '/positions', detail: 'an array of one position or more' },
    ]);
  }
  if (positions.length > MAX_POSITIONS) throw new AppError('too-large', `At most ${MAX_POSITIONS} positions`);
  return positions.flatMap((record: unknown, index) => {
    const named = withImei(record);
    const detail = check(named);
    if (detail === undefined) {
      const position = named as z.output<typeof pushedPosition>;
      return [{ index, record: { ...position, deviceId: position.imei } }];
    }
    rejected.push({ index, code: 'invalid', detail });
    return [];
  });
}

/** The old name of `imei` is taken where `imei` is missing. */
function withImei(record: unknown): unknown {
  const { imei, deviceId } = (record ?? {}) as { readonly imei?: unknown; readonly deviceId?: unknown };
  return imei === undefined && deviceId !== undefined ? { ...(record as object), imei: deviceId } : record;
}

/** A tenant's credential reaches its own devices; only the default tenant's lets new ones in. */
async function resolve(
  records: readonly Indexed<{ record: PositionRecord }>[],
  tenantId: number | undefined,
  rejected: PushAnswer['rejected'][number][],
  { directory, autoRegister, defaultTenantId, clock }: PushDeps,
): Promise<Indexed<PositionRow>[]> {
  const mayRegister = autoRegister && (tenantId === undefined || tenantId === defaultTenantId);
  const imeis = new Set(records.map(({ record }) => record.deviceId));
  const known =
    tenantId === undefined
      ? await directory.resolve(imeis, mayRegister)
      : await directory.resolveFor(tenantId, imeis, mayRegister);
  const now = clock.now();
  return records.flatMap(({ record, index }) => {
    const device = known.get(record.deviceId);
    if (device !== undefined) return [{ ...toRow(record, device, now), index }];
    rejected.push({ index, code: 'unknown-device', detail: `${record.deviceId} is not registered` });
    return [];
  });
}
