import type pg from 'pg';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../../platform/poll-loop.ts';
import { isDatabaseAway } from '../../database/index.ts';
import { type Entry, readCursor, readEntries } from '../../ingest/feed/index.ts';
import type { StreamMessage, StreamSender } from '../brokers/index.ts';
import type { EventSource, LiveEvent } from '../events/index.ts';
import { messagesOf } from './cloud-event.ts';
import { createDelivery } from './delivery.ts';
import { createReplay, type Replay } from './replay.ts';
import * as store from './store.ts';

export interface WorkerDeps {
  readonly pool: pg.Pool;
  readonly app: pg.Pool;
  readonly log: Log;
  readonly source: EventSource;
  /** of this process */
  readonly owner: string;
  readonly open: (stream: store.StreamRow) => Promise<StreamSender>;
  readonly tenantName: (id: number) => string | undefined;
  readonly settings: {
    /** ms between two rounds */
    readonly everyMs: number;
    readonly longestPauseMs: number;
    readonly batchSize: number;
    readonly deadLettersKept: number;
  };
}

/** Sends one stream. */
export interface Worker {
  readonly version: number;
  stop(): Promise<void>;
}

/** entries of the feed in one round */
const ENTRIES_PER_ROUND = 100;
/** messages after which the next part of a round is begun, while this one is sent */
const ROWS_PER_READ = 2_000;
const MAX_REASON_LENGTH = 500;

/** A part of a round. */
interface Part {
  readonly messages: readonly StreamMessage[];
  readonly last: Entry;
  readonly left: readonly Entry[];
}

/** Reads the feed from the cursor of a stream and sends what it selects; moves the cursor when it is acknowledged. */
export function createWorker(stream: store.StreamRow, deps: WorkerDeps): Worker {
  const { pool, log, source, owner, settings } = deps;
  const select = selection(stream, deps);
  const delivery = createDelivery(stream, deps);
  let replay: Promise<Replay | undefined> | undefined;

  /** New events wait until the replay has ended, so that those of a device arrive in order. */
  const isReplaying = async (): Promise<boolean> => {
    replay ??= createReplay(stream, { ...deps, batchSize: settings.batchSize, deliver: delivery.deliver });
    const running = await replay.catch((error: unknown) => {
      replay = undefined;
      throw error;
    });
    if (running === undefined) return false;
    if (!(await running.step())) replay = Promise.resolve(undefined);
    return true;
  };
  /** Messages of the first entries. */
  const prepare = async (entries: readonly Entry[]): Promise<Part> => {
    const messages: StreamMessage[] = [];
    let at = 0;
    for (; at < entries.length && messages.length < ROWS_PER_READ; at++) {
      const entry = entries[at]!;
      if (entry.kind === 'rules') source.forget();
      messages.push(...(await select(entry)));
    }
    return { messages, last: entries[at - 1]!, left: entries.slice(at) };
  };
  const checkLoss = async (): Promise<boolean> => {
    const hasLost = await store.noteLoss(pool, stream.id, owner);
    if (hasLost)
      log.error({ stream: stream.id }, 'a stream was behind for longer than events are kept: it has lost some');
    return hasLost;
  };
  const round = async (): Promise<boolean> => {
    if (delivery.isStopped()) return false;
    if (await isReplaying()) return true;
    await delivery.resendLetters();
    const cursor = await readCursor(pool, `stream:${stream.id}`);
    if (cursor === undefined) return false;
    const entries = await readEntries(pool, cursor, ENTRIES_PER_ROUND);
    if (entries.length === 0) return checkLoss();
    for (let part: Promise<Part> | undefined = prepare(entries); part !== undefined; ) {
      const { messages, last, left }: Part = await part;
      // after the events were read: those that are deleted meanwhile are noticed too
      if (await checkLoss()) return true;
      part = left.length === 0 ? undefined : prepare(left);
      // it is awaited after this part has been sent
      part?.catch(() => {});
      await delivery.deliver(messages, last);
    }
    return entries.length === ENTRIES_PER_ROUND;
  };
  const loop: PollLoop = createPollLoop({
    round,
    everyMs: settings.everyMs,
    longestPauseMs: settings.longestPauseMs,
    onError(error, failures) {
      delivery.disconnect().catch(() => {});
      if (delivery.isStopped()) return;
      if (failures === 1 && !isDatabaseAway(error))
        log.warn({ stream: stream.id, reason: error.message }, 'a stream waits');
      store.saveProblem(pool, stream.id, owner, error.message.slice(0, MAX_REASON_LENGTH)).catch(() => {});
    },
  });
  loop.start();
  return {
    version: stream.version,
    async stop() {
      await delivery.stop();
      await loop.stop();
      await delivery.disconnect();
    },
  };
}

/** Messages of an entry that a stream selects. */
function selection(stream: store.StreamRow, { source, tenantName }: WorkerDeps) {
  const { tenantId } = stream;
  const kinds = new Set(stream.kinds);
  const types = new Set(stream.kinds.map((kind) => (kind === 'alarm' ? 'position' : kind)));
  const only = stream.vehicles === null ? undefined : new Set(stream.vehicles);
  const isSelected = (device: NonNullable<LiveEvent['device']>): boolean =>
    (tenantId === null || device.tenantId === tenantId) &&
    (only === undefined || only.has(device.imei) || (device.targa !== null && only.has(device.targa)));
  return async (entry: Entry): Promise<StreamMessage[]> => {
    if (entry.kind === 'rules' || entry.kind === 'uploads' || !types.has(TYPES[entry.kind])) return [];
    const events = await source.eventsOf(entry, isSelected);
    return events.flatMap((event) => {
      if (tenantId !== null && event.tenantId !== tenantId) return [];
      if (event.device === undefined ? only !== undefined : !isSelected(event.device)) return [];
      const tenant = tenantName(event.tenantId);
      return tenant === undefined ? [] : messagesOf(event, tenant, kinds);
    });
  };
}

const TYPES = {
  positions: 'position',
  commands: 'command',
  notifications: 'notification',
  sessions: 'session',
} as const;
