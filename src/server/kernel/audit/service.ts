import type pg from 'pg';
import { Batcher } from '../../../platform/batcher.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { Noted } from '../../../platform/noted.ts';
import { createPollLoop } from '../../../platform/poll-loop.ts';
import { asAppError, formatTimestamp, isDatabaseAway, transaction } from '../../database/index.ts';
import { type Cursors, EARLIEST, LATEST, toInstant, toPage } from '../http/index.ts';
import type { Secrets } from '../secrets/index.ts';
import type { Anchor, WriteAnchors } from './anchor.ts';
import { createAuditKeys, macOf } from './keys.ts';
import * as store from './store.ts';

export interface AuditNote {
  readonly tenantId: number;
  /** id of the user or key */
  readonly actor: string;
  readonly address?: string | undefined;
  readonly action: string;
  readonly object?: string | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly requestId?: string | undefined;
}

export interface AuditRequest {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly object?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Append-only audit trail. Each second the new entries of each tenant are sealed in a block; blocks form a hash chain
 * with MACs.
 */
export interface Audit {
  write(note: AuditNote): Promise<void>;
  /** Another component of this process has written entries; schedules sealing. */
  noted(): void;
  list(tenantId: number, request: AuditRequest): Promise<{ items: AuditItem[]; nextCursor: string | null }>;
  chain(
    tenantId: number,
  ): Promise<{ blocks: number; head: string | null; intact: boolean; brokenBlock: number | null }>;
  start(): void;
  stop(): Promise<void>;
}

type AuditFields = 'id' | 'actor' | 'ip' | 'action' | 'object' | 'before' | 'after' | 'requestId' | 'block';
export type AuditItem = Pick<store.AuditRow, AuditFields> & { readonly at: string; readonly sealed: boolean };

const EVERY_MS = 1_000;
const ANCHOR_EVERY_MS = 10_000;
/** Entries per insert statement; entries of concurrent requests are batched. */
const MAX_BATCH_ENTRIES = 500;

export interface AuditDeps {
  readonly pools: { readonly app: pg.Pool; readonly ingest: pg.Pool };
  readonly cursors: Cursors;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  /** destinations of chain heads outside of the database */
  readonly anchors: readonly WriteAnchors[];
}

export function createAudit({ pools, cursors, clock, log, secrets, anchors }: AuditDeps): Audit {
  const { app, ingest } = pools;
  const keys = createAuditKeys(ingest, secrets);
  const anchoring = createAnchoring(anchors, clock, log);
  /**
   * Returns whether unsealed entries remain: those newer than the oldest running transaction, or all if another
   * process is sealing.
   */
  const seal = async (): Promise<boolean> => {
    const key = await keys.current();
    const blocks = await transaction(ingest, async (tx) => {
      const made = await store.seal(tx);
      if (made.length > 0) {
        await store.signBlocks(
          tx,
          key.id,
          made.map((block) => ({ ...block, mac: macOf(key, block) })),
        );
      }
      return made;
    });
    await anchoring.add(blocks);
    return store.hasUnsealed(ingest);
  };
  const entries = new Batcher<store.AuditEntry, void>(
    async (list) => {
      await store.insertEntries(ingest, list);
      return list.map(() => undefined);
    },
    { most: MAX_BATCH_ENTRIES, splitsFailed: true },
  );
  const written = new Noted();
  // heads that were sealed before this process started may not have been anchored
  let isHeadAnchored = false;
  const loop = createPollLoop({
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    async round() {
      // if another process is sealing, it also anchors
      if (!isHeadAnchored) await anchoring.add(await store.readHeads(ingest));
      isHeadAnchored = true;
      await written.take(seal);
      await anchoring.retry();
      return false;
    },
    onError(error) {
      if (isDatabaseAway(error)) log.debug({ reason: error.message }, 'the audit trail waits for the database');
      else log.error({ err: error }, 'the audit trail is not sealed');
    },
  });
  return {
    async write({ address, object, before, after, requestId, ...note }) {
      try {
        await entries.add({
          ...note,
          address: address ?? null,
          object: object ?? null,
          before,
          after,
          requestId: requestId ?? null,
        });
        written.note();
      } catch (error) {
        throw asAppError(error);
      }
    },
    noted() {
      written.note();
    },
    async list(tenantId, { from = EARLIEST, to = LATEST, actor, action, object, limit, cursor }) {
      const filter = ['audit', tenantId, from, to, actor, action, object];
      const rows = await store.listEntries(app, tenantId, {
        from: formatTimestamp(from),
        to: formatTimestamp(to),
        actor: actor ?? null,
        action: action ?? null,
        object: object ?? null,
        after: cursor === undefined ? 0 : Number(cursors.read(cursor, filter)[0]),
        limit: limit + 1,
      });
      const present = ({ at, ...row }: store.AuditRow): AuditItem => ({
        ...(row as Pick<store.AuditRow, AuditFields>),
        at: toInstant(at),
        sealed: row.block !== null,
      });
      return toPage(rows, limit, present, ({ id }) => cursors.write([id], filter));
    },
    async chain(tenantId) {
      const { blocks, head, broken } = await store.readChain(app, tenantId);
      const last = await store.readHead(app, tenantId);
      // the MAC of the head covers the whole chain; a head of an earlier version has no MAC
      const isForged = last !== undefined && last.mac !== null && !(await keys.isSigned(last));
      const brokenBlock = broken ?? (isForged ? last.number : null);
      return { blocks, head: head?.toString('hex') ?? null, intact: brokenBlock === null, brokenBlock };
    },
    start: () => loop.start(),
    async stop() {
      await loop.stop();
      await anchoring.flush();
    },
  };
}

/** Sends heads to each destination independently; failed ones are retried with the next heads. */
function createAnchoring(places: readonly WriteAnchors[], clock: Clock, log: Log) {
  const waiting = places.map((write) => ({ write, heads: new Map<number, Anchor>() }));
  let nextAt = Number.NEGATIVE_INFINITY;
  const flush = async (): Promise<void> => {
    for (const { write, heads } of waiting) {
      const due = [...heads.values()];
      if (due.length === 0) continue;
      try {
        await write(due);
        for (const anchor of due) if (heads.get(anchor.tenantId) === anchor) heads.delete(anchor.tenantId);
      } catch (error) {
        log.error({ err: error as Error }, 'the head of the audit trail is not anchored');
      }
    }
  };
  const retry = async (): Promise<void> => {
    const now = clock.monotonic();
    if (now < nextAt || waiting.every(({ heads }) => heads.size === 0)) return;
    nextAt = now + ANCHOR_EVERY_MS;
    await flush();
  };
  return {
    retry,
    flush,
    async add(blocks: readonly store.BlockRow[]): Promise<void> {
      const at = toInstant(clock.now());
      for (const { heads } of waiting) {
        for (const { tenantId, number: block, hash } of blocks) {
          heads.set(tenantId, { at, tenantId, block, hash: hash.toString('hex') });
        }
      }
      await retry();
    },
  };
}
