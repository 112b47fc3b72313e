import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import { restrictedUser } from '../../platform/restriction.ts';
import * as store from './store.ts';

const DEVICES = 50;
const MAX_REJECTED_LOGINS = 25;
const COMMANDS = 100;
/** Minimum interval between database queries, for any number of viewers. */
const FRESH_MS = 2_000;

export interface OverviewDeps {
  /** sees one tenant at a time */
  readonly app: pg.Pool;
  readonly ingest: pg.Pool;
  readonly clock: Clock;
  /** a tenant's pending commands with the reason why each has not been sent */
  readonly pending: (tenantId: number, limit: number) => Promise<readonly WaitingLine[]>;
  /** gateways whose streams are held by this process */
  readonly streams: () => readonly string[];
  /** spools as far as this process can see them */
  readonly spools: () => Promise<readonly SpoolLine[]>;
  readonly checks: () => Promise<readonly CheckLine[]>;
  readonly jobs: () => Promise<Readonly<Record<string, number>> | undefined>;
}

export interface WaitingLine {
  readonly id: string;
  readonly imei: string;
  readonly text: string;
  readonly reason: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly attempts: number;
  readonly maxAttempts: number;
}

export interface SpoolLine {
  readonly target: string;
  readonly lagSeconds: number;
  readonly setAside: number;
  /** of the whole spool */
  readonly bytes: number;
}

export interface CheckLine {
  readonly name: string;
  readonly ok: boolean;
  readonly detail?: string;
}

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** All that the page shows, gathered at once. */
export async function readOverview(deps: OverviewDeps, tenantId: number) {
  const { app, ingest, clock } = deps;
  const [counts, devices, unregistered, inFlight, waiting, gateways, spools, checks, jobs] = await Promise.all([
    store.readCounts(app, tenantId),
    store.readDevices(app, tenantId, DEVICES),
    store.readRejectedLogins(app, tenantId, MAX_REJECTED_LOGINS),
    store.readInFlight(app, tenantId, COMMANDS),
    deps.pending(tenantId, COMMANDS),
    store.readGateways(ingest),
    deps.spools(),
    deps.checks(),
    deps.jobs(),
  ]);
  const held = new Set(deps.streams());
  return {
    now: clock.now(),
    counts,
    checks,
    devices,
    unregistered,
    commands: { inFlight, waiting },
    gateways: gateways.map((line) => ({
      ...line,
      isHere: held.has(line.gateway),
      isAlive: line.leaseUntil > clock.now(),
    })),
    spools,
    jobs: jobs ?? null,
  };
}

/** Shared by the callers of a tenant for FRESH_MS; a user who is given some vehicles has it read under his policies. */
export function sharedOverview(deps: OverviewDeps): (tenantId: number) => Promise<Overview> {
  const kept = new Map<number, { readonly at: number; readonly overview: Promise<Overview> }>();
  return (tenantId) => {
    if (restrictedUser() !== undefined) return readOverview(deps, tenantId);
    const now = deps.clock.monotonic();
    const last = kept.get(tenantId);
    if (last !== undefined && now - last.at < FRESH_MS) return last.overview;
    const overview = readOverview(deps, tenantId);
    kept.set(tenantId, { at: now, overview });
    overview.catch(() => kept.delete(tenantId));
    return overview;
  };
}
