import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECORD_AT, RECORD_HEADER_BYTES } from '../../src/contract/records.ts';
import { apiTarget, createPusher } from '../../src/gateway/pusher/index.ts';
import { openSpool, POSITION, type Spool } from '../../src/gateway/spool/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import type { Figure } from './figure.ts';

const RECORD_BYTES = 300;
const log = createLog('bench', 'silent');
const positions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    kind: POSITION,
    bytes: Buffer.from(`{"n":${index},"text":"`.padEnd(RECORD_BYTES - 2, 'x').concat('"}')),
  }));

/** Figures of the spool and the pusher on this machine. `folder` names the disk to measure. */
export async function run(folder = tmpdir()): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const measure of [saturated, moderate, pushed]) {
    const path = await mkdtemp(join(folder, 'bench-spool-'));
    const spool = await openSpool({
      folder: path,
      targets: ['api'],
      syncMs: 5,
      maxBytes: 4 * 1024 ** 3,
      minFreeBytes: 256 * 1024 ** 2,
      clock: systemClock,
      log,
    });
    try {
      figures.push(...(await measure(spool)));
    } finally {
      await spool.close();
      await rm(path, { recursive: true, force: true });
    }
  }
  return figures;
}

interface Timing {
  readonly latencies: number[];
  readonly ms: number;
  readonly cpuUs: number;
}

/** `writers` append ten records each time, one append after the other, `gapMs` apart, `rounds` times. */
async function append(spool: Spool, writers: number, rounds: number, gapMs: number): Promise<Timing> {
  const records = positions(10);
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const started = performance.now();
  const write = async (): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now();
      await spool.append(records);
      latencies.push(performance.now() - begun);
      if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs));
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  return { latencies, ms: performance.now() - started, cpuUs: user + system };
}

async function saturated(spool: Spool): Promise<Figure[]> {
  const { latencies, ms, cpuUs } = await append(spool, 500, 300, 0);
  const count = latencies.length * 10;
  return [
    {
      name: 'spool: appends with sync, 500 writers of 10 records',
      value: `${perSecond(count, ms)} records/s`,
      measurements: [{ key: 'appends', value: (1000 * count) / ms, unit: 'records/s' }],
    },
    { name: 'spool: append latency at that rate', value: percentiles(latencies) },
    {
      name: 'spool: CPU of an append',
      value: `${(cpuUs / count).toFixed(2)} µs/record`,
      measurements: [{ key: 'cpu', value: cpuUs / count, unit: 'µs' }],
    },
  ];
}

async function moderate(spool: Spool): Promise<Figure[]> {
  const { latencies, ms } = await append(spool, 100, 150, 20);
  return [
    {
      name: 'spool: append latency at moderate load',
      value: `${percentiles(latencies)} at ${perSecond(latencies.length * 10, ms)} records/s`,
    },
  ];
}

/** From append to settled, with a receiver in the same process that only counts lines. */
async function pushed(spool: Spool): Promise<Figure[]> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.end(JSON.stringify({ lastSeq: lastSeq(Buffer.concat(parts)), rejected: [] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const common = { spool, clock: systemClock, log };
  const target = apiTarget({ at: () => ({ apiUrl }), authorise: async () => 'token', ...common });
  const pusher = createPusher({ target, ...common });
  const { latencies, ms, cpuUs } = await append(spool, 200, 300, 0);
  const count = latencies.length * 10;
  const cpu = process.cpuUsage();
  const started = performance.now();
  await pusher.delivered(count);
  const all = ms + performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  await pusher.drain(0);
  server.close();
  return [
    { name: 'spool and pusher: append to settled', value: `${perSecond(count, all)} records/s` },
    {
      name: 'spool and pusher: CPU, the counting receiver included',
      value: `${((cpuUs + user + system) / count).toFixed(2)} µs/record`,
    },
  ];
}

function lastSeq(records: Buffer): number {
  let last = 0;
  for (let at = 0; at < records.length; ) {
    last = Number(records.readBigUInt64LE(at + RECORD_AT.seq));
    at += RECORD_HEADER_BYTES + records.readUInt32LE(at + RECORD_AT.length);
  }
  return last;
}

const perSecond = (count: number, ms: number): string => Math.round((count / ms) * 1000).toLocaleString('en');

function percentiles(sorted: readonly number[]): string {
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(2);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
