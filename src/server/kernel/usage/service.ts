import { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop } from '../../../platform/poll-loop.ts';
import { isDatabaseAway, type Queryable, transaction } from '../../database/index.ts';
import type { Principal } from '../access/index.ts';
import { type Cursors, LATEST, MIN_INSTANT_MS, toPage } from '../http/index.ts';
import { Counters, type Device, dayOf } from './counters.ts';
import * as store from './store.ts';

/** Counts in memory and adds the counts to the rows of the days every few seconds and on stop. */
export interface Usage {
  /** Counts an authenticated request. Requests that this process sends to itself are not counted. */
  countRequest(request: FastifyRequest, principal: Principal): void;
  /** The device of each record from index `first` on, repeats included. */
  countReceived(kind: 'frames' | 'positions', devices: readonly (Device | undefined)[], first: number): void;
  /** Positions that were not stored before. */
  countStored(tenantId: number, positions: number): void;
  /** Includes the counts of this process that are not yet written. */
  list(tenantId: number, query: UsageQuery): Promise<{ items: UsageDay[]; nextCursor: string | null }>;
  start(): void;
  /** Writes the remaining counts. */
  stop(): Promise<void>;
}

export interface UsageQuery {
  /** epoch ms */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface UsageDay {
  readonly day: string;
  readonly requests: number;
  readonly activeUsers: number;
  readonly activeDevices: number;
  readonly framesReceived: number;
  readonly positionsReceived: number;
  readonly positionsStored: number;
}

export interface UsageDeps {
  readonly pools: { readonly app: pg.Pool; readonly ingest: pg.Pool };
  readonly clock: Clock;
  readonly log: Log;
  readonly cursors: Cursors;
  readonly everyMs: number;
}

export function createUsage({ pools, clock, log, cursors, everyMs }: UsageDeps): Usage {
  const counters = new Counters();
  const loop = createPollLoop({
    everyMs,
    firstAfterMs: everyMs,
    async round() {
      const counts = counters.take(clock.now());
      if (counts.length === 0) return false;
      try {
        await transaction(pools.ingest, (tx) => store.addCounts(tx, counts));
      } catch (error) {
        counters.restore(counts);
        throw error;
      }
      return false;
    },
    onError(error) {
      if (isDatabaseAway(error)) log.debug({ reason: error.message }, 'counts of the day wait for the database');
      else log.error({ err: error }, 'counts of the day are not written');
    },
  });
  return {
    countRequest({ raw }, { tenantId, kind, id }) {
      if (tenantId === undefined || !(raw.socket instanceof Socket)) return;
      const tally = counters.of(tenantId, clock.now());
      tally.requests++;
      if (kind === 'user') tally.users.add(id);
    },
    countReceived(kind, devices, first) {
      counters.countRecords(kind, devices, first, clock.now());
    },
    countStored(tenantId, positions) {
      counters.of(tenantId, clock.now()).stored += positions;
    },
    async list(tenantId, { from = MIN_INSTANT_MS, to = LATEST, limit, cursor }) {
      await loop.run();
      const filter = ['usage', tenantId, from, to];
      const first = cursor === undefined ? dayOf(from) : String(cursors.read(cursor, filter)[0]);
      const rows = await store.listDays(pools.app, tenantId, { first, last: dayOf(to), limit: limit + 1 });
      return toPage(rows, limit, present, ({ day }) => cursors.write([dayAfter(day)], filter));
    },
    start: () => loop.start(),
    async stop() {
      await loop.stop();
      await loop.run().catch((error: Error) => log.warn({ reason: error.message }, 'counts of the day are lost'));
    },
  };
}

const dayAfter = (day: string): string => dayOf(Date.parse(day) + DAY_MS);

const present = ({ day, requests, frames, received, stored, users, devices }: store.UsageRow): UsageDay => ({
  day,
  requests,
  activeUsers: users,
  activeDevices: devices,
  framesReceived: frames,
  positionsReceived: received,
  positionsStored: stored,
});

/** Replaces the member ids of old days by their number, after a margin for late processes. */
export const foldUsage = (tx: Queryable, now: number): Promise<void> => store.foldMembers(tx, dayOf(now - DAY_MS));
