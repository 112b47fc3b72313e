import type { PositionRecord } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { History, Part, Replaced } from '../../history/index.ts';
import { insertEntries } from '../../kernel/audit/index.ts';
import {
  type ClockLimits,
  checkPlaces,
  createPartitions,
  type KnownLimits,
  markJump,
  markSuspect,
  type PositionRow,
  toRow,
} from '../batches/index.ts';
import { type PositionChange, type RedecodeDeps, type RedecodeReport, redecode } from './service.ts';
import * as store from './store.ts';

export interface ApplyDeps extends RedecodeDeps {
  readonly history: Pick<History, 'replace'>;
  readonly clock: Clock;
  readonly knownLimits: KnownLimits;
  readonly clockLimits: Pick<ClockLimits, 'aheadMs'>;
  /** of this program: the decoder is part of it */
  readonly version: string;
  /** epoch ms: rows that arrived since then stay rows */
  readonly arrivedBefore: number;
  readonly replaced?: (part: Part, positions: number) => void;
}

export interface Applied extends RedecodeReport {
  readonly applied: Replaced;
}

/** who has done it, in the audit trail */
const ACTOR = 'command-line';

/**
 * Replaces what is stored by what today's decoder gives. Positions that no frame gives stay. What was replaced before it
 * was interrupted is the same the next time. Undefined while another process moves or replaces positions.
 */
export async function applyRedecoded(query: store.FramesQuery, deps: ApplyDeps): Promise<Applied | undefined> {
  const { pools, clock } = deps;
  let report: RedecodeReport | undefined;
  const months = createPartitions(pools.ingest, 'position', clock.now);
  const counts = new Map<number, { changed: number; added: number }>();
  const audit = async (action: string, extra: (tenantId: number) => object): Promise<void> => {
    const { protocol, from, to } = query;
    const interval = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const entries = [...counts.keys()].map((tenantId) => ({
      tenantId,
      actor: ACTOR,
      address: null,
      action,
      object: protocol,
      before: undefined,
      after: { ...interval, version: deps.version, ...counts.get(tenantId), ...extra(tenantId) },
      requestId: null,
    }));
    if (entries.length > 0) await insertEntries(pools.ingest, entries);
  };
  const applied = await deps.history.replace({
    arrivedBefore: deps.arrivedBefore,
    async stage(session) {
      report = await redecode(query, deps, async (device, changes) => {
        const rows = changes.map((change) => rowOf(device, change, clock.now(), deps.clockLimits));
        await months.ensure(rows.map(({ row }) => row.time));
        await store.stageChanges(session, rows);
        const count = counts.get(device.tenantId) ?? { changed: 0, added: 0 };
        for (const { before } of changes) count[before === undefined ? 'added' : 'changed'] += 1;
        counts.set(device.tenantId, count);
      });
      // before the first part: the author is recorded even if the run does not finish
      await audit('positions.redecode-begun', () => ({}));
    },
    async apply(tx, part) {
      await store.updateNewest(tx, part, clock.now(), deps.knownLimits);
      await store.forgetDays(tx, part);
    },
    ...(deps.replaced === undefined ? {} : { progress: deps.replaced }),
  });
  if (applied === undefined || report === undefined) return undefined;
  await audit('positions.redecoded', (tenantId) => ({
    failedDays: applied.failed.filter(({ part }) => part.tenantId === tenantId).map(({ part }) => part.day),
  }));
  return { ...report, applied };
}

/** The record arrived when the one that it replaces did, and its clock is as right as it was, unless its time is another. */
function rowOf(
  { id, tenantId }: store.Subject,
  { before, after }: PositionChange,
  now: number,
  { aheadMs }: ApplyDeps['clockLimits'],
): store.ChangeRow {
  const record = { ...(after.position as PositionRecord), id: after.id };
  const arrivedAt = before?.arrivedAt ?? after.arrivedAt;
  const row: PositionRow = { ...toRow(record, { id, tenantId }, now), serverTime: arrivedAt };
  const isSuspect = before?.time === row.time ? before.isSuspect : row.time - arrivedAt > aheadMs;
  const wasJump = before?.values['attributes.implausible'] === 'jump';
  return {
    row: isSuspect ? markSuspect(row) : wasJump ? markJump(row) : checkPlaces([row])[0]!,
    old: before === undefined ? undefined : { time: before.time, id: before.id, deviceTime: before.deviceTime },
  };
}
