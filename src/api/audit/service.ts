import type pg from 'pg';
import { Batcher } from '../../platform/batcher.ts';
import type { Log } from '../../platform/log.ts';
import { createPollLoop } from '../../platform/poll-loop.ts';
import { asAppError, formatTimestamp, isDatabaseAway } from '../../platform/postgres/index.ts';
import { type Cursors, EARLIEST, LATEST, toInstant, toPage } from '../http/index.ts';
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

/** Who did what: rows that nobody changes, sealed each second by a chain of hashes, a block a tenant. */
export interface Audit {
  write(note: AuditNote): Promise<void>;
  /** Something has been written by others of this process, and is to be sealed. */
  noted(): void;
  list(tenantId: number, request: AuditRequest): Promise<{ items: AuditItem[]; nextCursor: string | null }>;
  chain(
    tenantId: number,
  ): Promise<{ blocks: number; head: string | null; intact: boolean; brokenBlock: number | null }>;
  start(): void;
  stop(): Promise<void>;
  seal(): Promise<number>;
}

type AuditFields = 'id' | 'actor' | 'ip' | 'action' | 'object' | 'before' | 'after' | 'requestId' | 'block';
export type AuditItem = Pick<store.AuditRow, AuditFields> & { readonly at: string; readonly sealed: boolean };

const EVERY_MS = 1_000;
/** Entries that one statement writes: what many requests have changed at a time is written together. */
const MOST = 500;

export function createAudit(pools: { app: pg.Pool; ingest: pg.Pool }, cursors: Cursors, log: Log): Audit {
  const { app, ingest } = pools;
  const entries = new Batcher<store.AuditEntry, void>(
    async (list) => {
      await store.insertEntries(ingest, list);
      return list.map(() => undefined);
    },
    { most: MOST, splitsFailed: true },
  );
  let written = true;
  const loop = createPollLoop({
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    async round() {
      // what another process wrote, that process seals
      if (written) written = (await store.seal(ingest)) > 0;
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
        written = true;
      } catch (error) {
        throw asAppError(error);
      }
    },
    noted() {
      written = true;
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
      return { blocks, head: head?.toString('hex') ?? null, intact: broken === null, brokenBlock: broken };
    },
    start: () => loop.start(),
    stop: () => loop.stop(),
    seal: () => store.seal(ingest),
  };
}
