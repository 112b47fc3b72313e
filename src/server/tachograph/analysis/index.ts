import pLimit from 'p-limit';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../../platform/durations.ts';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop } from '../../../platform/poll-loop.ts';
import { isDatabaseAway } from '../../database/index.ts';
import { whileLeased } from '../../kernel/jobs/index.ts';
import { absencesOf } from '../absences/store.ts';
import { correctionsOf } from '../corrections/store.ts';
import type { AnalyseDaysOptions } from '../engine/reports/analyse-days.ts';
import { ENGINE_VERSION } from '../engine/rules/index.ts';
import { readBytes } from '../files/store.ts';
import type { Reader } from '../reader/index.ts';
import type { AnalyseAnswer, StoredBytes } from '../reader/jobs.ts';
import { type TermsInForce, termsOf, termsOfDriver } from '../terms/index.ts';
import * as store from './store.ts';

export interface Analysed {
  readonly driverId: string;
  readonly answer: AnalyseAnswer;
  /** infringements that were not known before */
  readonly fresh: readonly store.NewFinding[];
}

/** Makes days, infringements and payroll of drivers' files, and keeps them current. */
export interface Analyst {
  /** Runs the analysis now; `undefined` if the driver has no data. */
  analyse(tenantId: number, driverId: string): Promise<Analysed | undefined>;
  /** Runs the pending analyses of these drivers, or of all, so that a report includes all uploads. */
  settle(tenantId: number, driverIds: readonly string[] | undefined): Promise<void>;
  /** What one file alone would give; nothing is kept. */
  rehearse(tenantId: number, file: StoredBytes): Promise<AnalyseAnswer>;
  /** Analyses may be pending. */
  wake(): void;
  start(): void;
  stop(): Promise<void>;
}

export interface AnalystDeps {
  readonly app: pg.Pool;
  readonly ingest: pg.Pool;
  readonly reader: Reader;
  readonly log: Log;
  readonly clock: Clock;
  /** drivers that are worked on at a time */
  readonly concurrency: number;
  /** called with new infringements after they are stored */
  readonly onFresh: (tenantId: number, driverId: string, fresh: readonly store.NewFinding[]) => Promise<void>;
}

/** ms of quiet after an upload before what came is analysed, so that a folder is not worked on file by file */
const QUIET_MS = 500;
const EVERY_MS = MINUTE_MS;
/** Renewed while a driver is analysed; if the process dies, another one begins after this time. */
const LEASE_MS = 5 * MINUTE_MS;
/** pause after an analysis that has failed */
const RETRY_MS = 5 * MINUTE_MS;
/** six years: longer than any retention period without a setting */
const MAX_AGE_MS = 6 * 366 * DAY_MS;
const AHEAD_MS = 2 * DAY_MS;

export function createAnalyst(deps: AnalystDeps): Analyst {
  const { app, ingest, reader, log } = deps;
  let quiet: NodeJS.Timeout | undefined;
  let isStopped = true;
  const plausible = (): { from: string; to: string } => {
    const dateOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);
    const now = deps.clock.now();
    return { from: dateOf(now - MAX_AGE_MS), to: dateOf(now + AHEAD_MS) };
  };
  const analyse: Analyst['analyse'] = async (tenantId, driverId) => {
    const plan = await store.readPlan(app, tenantId, driverId);
    if (plan === undefined) return undefined;
    const terms = await termsOfDriver(app, tenantId, driverId);
    const files: StoredBytes[] = [];
    for (const { id, downloadedAt, signatures, isAdmitted } of plan.files) {
      const bytes = await readBytes(app, tenantId, id);
      if (bytes === undefined) continue;
      const known = knownDownload(plan, id, downloadedAt);
      files.push({ fileId: id, bytes, downloadedAt: known, signatures, isAdmitted });
    }
    const answer = await reader.ask('analyse', {
      files,
      drivers: plan.cards,
      identity: {
        nation: 0,
        number: driverId,
      },
      earlier: await store.readDays(app, tenantId, driverId),
      corrections: await correctionsOf(app, tenantId, driverId),
      rules: {
        ...rulesOf(terms),
        downloads: downloadsOf(plan),
        absences: await absencesOf(app, tenantId, [driverId]),
      },
      payroll: terms,
      within: plausible(),
    });
    const fresh = await store.save(app, tenantId, driverId, {
      plan,
      days: answer.days,
      payroll: answer.payroll,
      zone: terms.zone,
      findings: answer.analysis?.findings ?? [],
      notices: answer.analysis?.notices ?? [],
      engineVersion: answer.analysis?.engineVersion ?? null,
      rulesVersion: answer.analysis?.rulesVersion ?? null,
    });
    await deps.onFresh(tenantId, driverId, fresh);
    return { driverId, answer, fresh };
  };
  const analyseWaiting = async (): Promise<void> => {
    while (!isStopped) {
      const waiting = await store.claimDriver(ingest, ENGINE_VERSION, LEASE_MS);
      if (waiting === undefined) return;
      try {
        await whileLeased(
          LEASE_MS,
          () => store.renewDriver(ingest, waiting, LEASE_MS),
          () => analyse(waiting.tenantId, waiting.driverId),
        );
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        if (!isStopped) log.error({ err: error, driverId: waiting.driverId }, 'a driver was not analysed');
        // the drivers after this one do not wait for it
        await store.postponeDriver(ingest, waiting, isStopped ? 0 : RETRY_MS);
      }
    }
  };
  const loop = createPollLoop({
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    async round() {
      await Promise.all(Array.from({ length: deps.concurrency }, analyseWaiting));
      return false;
    },
    onError(error) {
      if (!isStopped) log.warn({ reason: error.message }, 'the analysis of drivers waits');
    },
  });
  return {
    analyse,
    async settle(tenantId, driverIds) {
      const pending = await store.pendingOf(app, tenantId, driverIds);
      const limit = pLimit(deps.concurrency);
      await Promise.all(pending.map((driverId) => limit(() => analyse(tenantId, driverId))));
    },
    async rehearse(tenantId, file) {
      const terms = await termsOf(app, tenantId);
      return reader.ask('analyse', {
        files: [file],
        drivers: [],
        earlier: [],
        corrections: [],
        rules: rulesOf(terms),
        payroll: terms,
        within: plausible(),
      });
    },
    wake() {
      if (isStopped) return;
      clearTimeout(quiet);
      quiet = setTimeout(() => loop.wake(), QUIET_MS);
      quiet.unref();
    },
    start() {
      isStopped = false;
      loop.start();
    },
    async stop() {
      isStopped = true;
      clearTimeout(quiet);
      await loop.stop();
    },
  };
}

/** A card's own time of download is the least that is sure, which the timeline knows better. */
const knownDownload = (plan: store.Plan, id: string, downloadedAt: number | null): number | null => {
  const isUnit = plan.files.find((file) => file.id === id)?.kind === 'vehicle-unit';
  return isUnit && downloadedAt !== null ? Math.floor(downloadedAt / 1000) : null;
};

const downloadsOf = ({ files }: store.Plan): number[] =>
  files
    .flatMap(({ kind, downloadedAt, counts }) =>
      kind === 'driver-card' && downloadedAt !== null && counts ? [Math.floor(downloadedAt / 60_000)] : [],
    )
    .sort((a, b) => a - b);

export function rulesOf(terms: TermsInForce): AnalyseDaysOptions {
  const { unknownAs, availabilityAsWork, service, night, zone, referenceMonths, homeNation, residence, bases } = terms;
  return {
    unknownAs,
    availabilityAsWork,
    service,
    referenceMonths,
    night: {
      ...night,
      zone,
    },
    ...(residence === null
      ? {}
      : {
          home: {
            establishment: homeNation,
            residence,
            bases,
          },
        }),
  };
}
