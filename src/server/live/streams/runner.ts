import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../../platform/poll-loop.ts';
import type { Feed } from '../../ingest/feed/index.ts';
import type { StreamSender } from '../brokers/index.ts';
import { createSource } from '../events/index.ts';
import * as store from './store.ts';
import { createWorker, type Worker, type WorkerDeps } from './worker.ts';

export interface RunnerDeps {
  readonly feed: Feed;
  readonly ingest: pg.Pool;
  readonly app: pg.Pool;
  readonly log: Log;
  readonly open: (stream: store.StreamRow) => Promise<StreamSender>;
  readonly settings: WorkerDeps['settings'];
}

const EVERY_MS = 1_000;
const LEASE_MS = 6_000;
/** streams that a process takes over in one round, so that processes that start together share them */
const CLAIMED_PER_ROUND = 5;

/** Sends the streams whose lease this process has. The streams of a process that dies are taken over. */
export function createStreamRunner(deps: RunnerDeps): Pick<PollLoop, 'start' | 'stop' | 'wake'> {
  const { feed, ingest, app, log, open, settings } = deps;
  const owner = randomUUID();
  const workers = new Map<string, Worker>();
  let tenants = new Map<number, string>();

  const stopWorker = async (id: string): Promise<void> => {
    const worker = workers.get(id);
    workers.delete(id);
    await worker?.stop();
  };
  const round = async (): Promise<boolean> => {
    const streams = await store.holdStreams(ingest, owner, LEASE_MS, CLAIMED_PER_ROUND);
    const versions = new Map(streams.map(({ id, version }) => [id, version]));
    for (const [id, worker] of workers) {
      if (versions.get(id) === worker.version) continue;
      await stopWorker(id);
      if (!versions.has(id)) await store.releaseStream(ingest, id, owner);
    }
    if (streams.length > 0) tenants = await store.readTenantNames(ingest);
    feed.expect(
      'streams',
      streams.some(({ kinds }) => kinds.includes('position') || kinds.includes('alarm')),
    );
    for (const stream of streams) {
      if (workers.has(stream.id)) continue;
      const tenantName = (id: number): string | undefined => tenants.get(id);
      // one source per worker: `forget` of another worker would drop identities that this one is using
      const source = createSource({ feed, ingest, app });
      workers.set(
        stream.id,
        createWorker(stream, { pool: ingest, app, log, source, owner, open, tenantName, settings }),
      );
    }
    return false;
  };
  const loop = createPollLoop({
    round,
    everyMs: EVERY_MS,
    longestPauseMs: EVERY_MS,
    onError(error, failures) {
      if (failures === 1) log.warn({ reason: error.message }, 'streams wait for the database');
    },
  });
  return {
    ...loop,
    async stop() {
      await loop.stop();
      const held = [...workers.keys()];
      await Promise.all(held.map(stopWorker));
      await Promise.all(held.map((id) => store.releaseStream(ingest, id, owner).catch(() => {})));
      feed.expect('streams', false);
    },
  };
}
