import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runningEmbeddedPostgres } from '../../src/server/database/embedded.ts';
import { type System, startSystem } from '../support/system.ts';
import type { Figure } from './figure.ts';
import { median } from './figure.ts';
import { runLoad } from './teltonika-load.ts';

const PAIRS = 5;
const DEVICES = 100;
const SECONDS = 6;
/** Positions are those of the last minutes. */
const START = Date.now() - 30 * 60_000;
/** part of the stored rate at which latency and cost are measured */
const STEADY = 0.8;

/**
 * From device to row: 100 Teltonika devices with 10-record packets of Codec 8 Extended, against a bare `net` server
 * that only counts records. A run lasts until every acknowledged record is a row.
 */
export async function run(): Promise<Figure[]> {
  const bare = await startBare();
  const system = await startSystem();
  try {
    // caches, prepared statements, partitions and the compiler
    await storedRate(system, 0, 0);
    const pairs = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      const reference = await runLoad({
        port: bare.port,
        devices: DEVICES,
        seconds: SECONDS / 2,
        rate: 0,
        first: 0,
        startAt: START,
      });
      const stored = await storedRate(system, pair + 1, 0);
      const counted = reference.acknowledged / reference.seconds;
      pairs.push({
        counted,
        stored: stored.rate,
        ratio: stored.rate / counted,
        cpu: stored.cpuMicros,
        log: stored.log,
      });
    }
    const rate = median(pairs.map((p) => p.stored));
    const ratio = 100 * median(pairs.map((p) => p.ratio));
    const cpu = median(pairs.map((p) => p.cpu));
    const log = median(pairs.map((p) => p.log));
    const steady = await storedRate(system, PAIRS + 1, (rate * STEADY) / 10);
    return [
      { name: 'ingest, rows stored', value: `${Math.round(rate)} a second` },
      { name: 'ingest, bare server', value: `${Math.round(median(pairs.map((p) => p.counted)))} records a second` },
      {
        name: 'ingest, ratio',
        value: `${ratio.toFixed(1)} %`,
        measurements: [{ key: 'ofBareServer', value: ratio, unit: '%', wanted: { atLeast: 12 } }],
      },
      {
        name: 'ingest, CPU of all processes',
        value: `${cpu.toFixed(1)} µs a position`,
        measurements: [{ key: 'cpu', value: cpu, unit: 'µs' }],
      },
      {
        name: 'ingest, log that PostgreSQL writes',
        value: `${Math.round(log)} bytes a position`,
        measurements: [{ key: 'log', value: log, unit: 'bytes' }],
      },
      {
        name: `ingest, at ${Math.round(steady.rate)} rows a second`,
        measurements: [
          { key: 'acknowledgedP50', value: steady.p50, unit: 'ms' },
          { key: 'acknowledgedP99', value: steady.p99, unit: 'ms' },
        ],
        value: `acknowledged p50 ${steady.p50.toFixed(1)} ms, p99 ${steady.p99.toFixed(1)} ms, ${steady.cpuMicros.toFixed(1)} µs of CPU a position`,
      },
    ];
  } finally {
    bare.child.kill();
    await system.stop();
  }
}

async function storedRate(
  system: System,
  round: number,
  packetsPerSecond: number,
): Promise<{ rate: number; cpuMicros: number; log: number; p50: number; p99: number }> {
  const before = await system.metric('fleetgate_positions_stored_total');
  const logged = await logBytes(system);
  const cpu = system.cpuSeconds();
  const began = performance.now();
  const { acknowledged, latency } = await runLoad({
    port: system.devicePort,
    devices: DEVICES,
    seconds: SECONDS,
    rate: packetsPerSecond,
    first: 1,
    startAt: START + round * 180_000,
  });
  let stored = 0;
  while (stored < acknowledged) {
    await sleep(20);
    stored = (await system.metric('fleetgate_positions_stored_total')) - before;
  }
  const seconds = (performance.now() - began) / 1000;
  if (stored !== acknowledged) throw new Error(`${acknowledged} acknowledged, ${stored} stored`);
  return {
    rate: stored / seconds,
    cpuMicros: ((system.cpuSeconds() - cpu) * 1e6) / stored,
    log: ((await logBytes(system)) - logged) / stored,
    p50: latency.at(0.5),
    p99: latency.at(0.99),
  };
}

/** Bytes of the log that PostgreSQL has written so far. */
async function logBytes(system: System): Promise<number> {
  const client = new pg.Client({ connectionString: runningEmbeddedPostgres(system.dataDir)! });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>(`select pg_current_wal_lsn() - '0/0' as bytes`);
    return Number(rows[0]!.bytes);
  } finally {
    await client.end();
  }
}

async function startBare(): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(join(import.meta.dirname, 'bare-server.js'), { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, port: Number(line.toString()) };
}
