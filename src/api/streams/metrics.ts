import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { readBacklogs } from '../../feed/index.ts';
import * as store from './store.ts';

/** Read on each scrape; no values while the database is unavailable. */
export function addStreamMetrics(registry: Registry, ingest: pg.Pool): void {
  let reading: Promise<void> | undefined;
  /** All gauges are collected at the same time: they share one reading. */
  const collect = async (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    await reading;
  };
  const gauge = (name: string, help: string) =>
    new Gauge({
      name: `fleetgate_stream_${name}`,
      help,
      labelNames: ['stream', 'type'] as const,
      registers: [registry],
      collect,
    });
  const lag = gauge('lag_seconds', 'age of the oldest event that a stream has not sent');
  const problem = gauge('problem', '1 while an active stream cannot send');
  const failed = gauge('failed', 'messages of a stream that the receiver has rejected');
  const lost = gauge('lost', '1 if events of a stream were deleted before they were sent, until they are replayed');
  const sent = gauge('sent', 'messages of a stream that the receiver has acknowledged');

  const read = async (): Promise<void> => {
    const streams = await store.readAllStreams(ingest).catch(() => undefined);
    for (const one of [lag, problem, failed, lost, sent]) one.reset();
    if (streams === undefined) return;
    const names = streams.map(({ id }) => `stream:${id}`);
    const backlogs = new Map((await readBacklogs(ingest, names).catch(() => [])).map((row) => [row.name, row]));
    for (const { id: stream, type, state, lostFrom, ...row } of streams) {
      sent.set({ stream, type }, row.sent);
      failed.set({ stream, type }, row.failed);
      problem.set({ stream, type }, state === 'active' && row.problem !== null ? 1 : 0);
      lost.set({ stream, type }, lostFrom === null ? 0 : 1);
      const seconds = state === 'active' ? backlogs.get(`stream:${stream}`)?.seconds : 0;
      if (seconds !== undefined) lag.set({ stream, type }, seconds);
    }
  };
}
