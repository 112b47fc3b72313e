import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { Samples } from '../../../platform/samples.ts';
import { readBacklogs } from '../../ingest/feed/index.ts';
import * as store from './store.ts';

export function addStreamMetrics(registry: Registry, ingest: pg.Pool, samples: Samples): void {
  /** All gauges are collected at the same time: they share one reading. */
  const collect = async (): Promise<void> => {
    await current();
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
    const streams = await store.readAllStreams(ingest);
    const names = streams.map(({ id }) => `stream:${id}`);
    const backlogs = new Map((await readBacklogs(ingest, names)).map((row) => [row.name, row]));
    for (const one of [lag, problem, failed, lost, sent]) one.reset();
    for (const { id: stream, type, state, lostFrom, ...row } of streams) {
      sent.set({ stream, type }, row.sent);
      failed.set({ stream, type }, row.failed);
      problem.set({ stream, type }, state === 'active' && row.problem !== null ? 1 : 0);
      lost.set({ stream, type }, lostFrom === null ? 0 : 1);
      const seconds = state === 'active' ? backlogs.get(`stream:${stream}`)?.seconds : 0;
      if (seconds !== undefined) lag.set({ stream, type }, seconds);
    }
  };
  const current = samples(read);
}
