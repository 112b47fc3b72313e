import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { systemClock } from '../../src/platform/clock.ts';
import { API_KEY } from '../support/api.ts';
import { startTestServer } from '../support/postgres.ts';
import { cardFile, datesFrom, dayOf, ordinary, type Plan, secondsOf } from '../support/tachograph.ts';
import type { Figure } from './figure.ts';

const FILES = 1_000;
const DAYS = 365;
const FIRST = '2025-04-01';
const free: Plan = [['00:00', 'rest']];

/**
 * A folder of 1,000 cards, each of a driver of its own with a year of days, in one request to the API, which runs in a
 * process of its own with two reading threads; then the analysis of all of them.
 */
export async function run(): Promise<Figure[]> {
  const server = await startTestServer();
  const database = await server.database();
  const child = fork(join(import.meta.dirname, 'ddd-child.js'), [database], { execArgv: ['--expose-gc'] });
  const owner = new pg.Client({ connectionString: database });
  owner.on('error', () => {});
  try {
    const { url, tenantId } = await answer<{ url: string; tenantId: number }>(child);
    await owner.connect();
    await owner.query(
      `insert into fleetgate.driver (id, tenant_id, name, card_number)
       select 'drv_' || n, $1, 'Driver ' || n, 'I' || lpad(n::text, 13, '0') || '00' from generate_series(1, $2) n`,
      [tenantId, FILES],
    );
    const form = new FormData();
    for (let n = 1; n <= FILES; n++) form.append('file', new Blob([card(n)]), `folder/${n}.ddd`);
    const before = await taken(child);
    const uploading = systemClock.monotonic();
    const headers = { authorization: `Bearer ${API_KEY}` };
    const response = await fetch(`${url}/v1/drivers/ddd`, { method: 'POST', body: form, headers });
    const { results } = (await response.json()) as { results: { outcome: string }[] };
    const uploadMs = systemClock.monotonic() - uploading;
    const stored = results.filter(({ outcome }) => outcome === 'stored').length;
    const uploaded = await taken(child);
    const analysing = systemClock.monotonic();
    const databaseBefore = server.cpuSeconds();
    await untilDone(owner);
    const analysisMs = systemClock.monotonic() - analysing;
    const databaseSeconds = server.cpuSeconds() - databaseBefore;
    const analysed = await taken(child);
    return [
      {
        name: `${FILES} cards in one request, ${stored} stored`,
        value: seconds(uploadMs),
        measurements: [{ key: 'upload', value: uploadMs / 1000, unit: 's' }],
      },
      {
        name: '  resident before, at most, after',
        value: [before.now, uploaded.peak, uploaded.now].map(mb).join(', '),
      },
      { name: '  event loop late, p99 and worst', value: late(uploaded) },
      {
        name: `${FILES} drivers analysed over ${DAYS} days`,
        value: seconds(analysisMs),
        measurements: [{ key: 'analysis', value: analysisMs / 1000, unit: 's' }],
      },
      {
        name: '  of CPU: the API with its threads, the database',
        value: [analysed.cpuMs, databaseSeconds * 1000].map(seconds).join(', '),
      },
      { name: '  resident at most, after', value: [analysed.peak, analysed.now].map(mb).join(', ') },
      { name: '  event loop late, p99 and worst', value: late(analysed) },
    ];
  } finally {
    child.kill();
    await owner.end();
    await server.stop();
  }
}

interface Taken {
  readonly now: number;
  readonly peak: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  /** since it was asked before, of all threads */
  readonly cpuMs: number;
}

const answer = async <T>(child: ChildProcess): Promise<T> => (await once(child, 'message'))[0] as T;
const taken = (child: ChildProcess): Promise<Taken> => {
  child.send('taken');
  return answer<Taken>(child);
};
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const mb = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;
const late = ({ p99Ms, worstMs }: Taken): string => `${p99Ms.toFixed(0)} ms, ${worstMs.toFixed(0)} ms`;

const days = datesFrom(FIRST, DAYS).map((date) => {
  const weekday = new Date(date).getUTCDay();
  return dayOf(date, weekday === 0 || weekday === 6 ? free : ordinary);
});
const card = (n: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    cardFile({
      number: `I${String(n).padStart(13, '0')}00`,
      surname: `Surname ${n}`,
      days,
      lastDownload: secondsOf(`${days.at(-1)!.date}T20:00:00Z`),
    }),
  );

async function untilDone(owner: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await owner.query(
      'select count(*)::int as n from fleetgate.driver_analysis where done_at is null or done_at < asked_at',
    );
    if (rows[0].n === 0) return;
    await wait(100);
  }
}
