import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { readBacklogs } from '../../feed/index.ts';
import * as store from './store.ts';

/** Read on each scrape; no values while the database is unavailable. */
export function addStreamMetrics(registry: Registry, ingest: pg.Pool): void {
  const labels = { labelNames: ['stream', 'type'], registers: [registry] };
  const lag = new Gauge({
    name: 'fleetgate_stream_lag_seconds',
    help: 'age of the oldest event that a stream has not sent',
    ...labels,
  });
  const problem = new Gauge({
    name: 'fleetgate_stream_problem',
    help: '1 while an active stream cannot send',
    ...labels,
  });
  const failed = new Gauge({
    name: 'fleetgate_stream_failed',
    help: 'messages of a stream that the receiver has rejected',
    ...labels,
  });
  new Gauge({
    name: 'fleetgate_stream_sent',
    help: 'messages of a stream that the receiver has acknowledged',
    ...labels,
    async collect() {
      const streams = await store.readAllStreams(ingest).catch(() => undefined);
      if (streams === undefined) return;
      const names = streams.map(({ id }) => `stream:${id}`);
      const backlogs = new Map((await readBacklogs(ingest, names).catch(() => [])).map((row) => [row.name, row]));
      for (const gauge of [this, lag, problem, failed]) gauge.reset();
      for (const { id: stream, type, sent, failed: rejected, state, problem: reason } of streams) {
        this.set({ stream, type }, sent);
        failed.set({ stream, type }, rejected);
        problem.set({ stream, type }, state === 'active' && reason !== null ? 1 : 0);
        const seconds = state === 'active' ? backlogs.get(`stream:${stream}`)?.seconds : 0;
        if (seconds !== undefined) lag.set({ stream, type }, seconds);
      }
    },
  });
}
