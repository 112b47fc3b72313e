import type pg from 'pg';
import { type Entry, readCursor, readEntries } from '../../feed/index.ts';
import type { Log } from '../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../platform/poll-loop.ts';
import { isDatabaseAway } from '../../platform/postgres/index.ts';
import type { Rejection, StreamMessage, StreamSender } from '../../streams/index.ts';
import type { EventSource, LiveEvent } from '../live/index.ts';
import { messagesOf } from './cloud-event.ts';
import * as store from './store.ts';

export interface WorkerDeps {
  readonly pool: pg.Pool;
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
const ENTRIES = 20;
const LONGEST_REASON = 500;

/** Reads the feed from the cursor of a stream and sends what it selects; moves the cursor when it is acknowledged. */
export function createWorker(stream: store.StreamRow, deps: WorkerDeps): Worker {
  const { pool, log, source, owner, open, settings } = deps;
  const select = selection(stream, deps);
  let sender: StreamSender | undefined;
  let isStopped = false;

  const closeSender = async (): Promise<void> => {
    const open = sender;
    sender = undefined;
    await open?.close();
  };
  const sendAll = async (messages: readonly StreamMessage[]): Promise<Rejection[]> => {
    const rejected: Rejection[] = [];
    for (let at = 0; at < messages.length; at += settings.batchSize) {
      if (isStopped) throw new Error('the stream is closed');
      sender ??= await open(stream);
      rejected.push(...(await sender.send(messages.slice(at, at + settings.batchSize))));
    }
    return rejected;
  };
  const resendLetters = async (): Promise<void> => {
    const letters = await store.readDueLetters(pool, stream.id, settings.batchSize);
    if (letters.length === 0) return;
    const numbers = numbersOf(letters);
    const rejected = await sendAll([...numbers.keys()]);
    const again = rejected.map(({ message, reason }) => ({ number: numbers.get(message)!, reason }));
    const isAgain = new Set(again.map(({ number }) => number));
    const sent = [...numbers.values()].filter((number) => !isAgain.has(number));
    await store.settleLetters(pool, sent, again);
    await save({ sent: sent.length, rejected: [], to: undefined });
  };
  const save = async (progress: store.Progress): Promise<void> => {
    if (await store.saveProgress(pool, stream.id, owner, progress)) return;
    isStopped = true;
    throw new Error('another process sends this stream by now');
  };
  const round = async (): Promise<boolean> => {
    if (isStopped) return false;
    await resendLetters();
    const cursor = await readCursor(pool, `stream:${stream.id}`);
    if (cursor === undefined) return false;
    const entries = await readEntries(pool, cursor, ENTRIES);
    const last = entries.at(-1);
    if (last === undefined) return false;
    const messages: StreamMessage[] = [];
    for (const entry of entries) {
      if (entry.kind === 'rules') source.forget();
      messages.push(...(await select(entry)));
    }
    const rejected = await sendAll(messages);
    await save({ sent: messages.length - rejected.length, rejected, to: last });
    if (rejected.length > 0) await store.trimDeadLetters(pool, stream.id, settings.deadLettersKept);
    return entries.length === ENTRIES;
  };
  const loop: PollLoop = createPollLoop({
    round,
    everyMs: settings.everyMs,
    longestPauseMs: settings.longestPauseMs,
    onError(error, failures) {
      closeSender().catch(() => {});
      if (isStopped) return;
      if (failures === 1 && !isDatabaseAway(error))
        log.warn({ stream: stream.id, reason: error.message }, 'a stream waits');
      store.saveProblem(pool, stream.id, owner, error.message.slice(0, LONGEST_REASON)).catch(() => {});
    },
  });
  loop.start();
  return {
    version: stream.version,
    async stop() {
      isStopped = true;
      await closeSender();
      await loop.stop();
      await closeSender();
    },
  };
}

/** Messages of dead letters, with the numbers of these. */
function numbersOf(letters: Awaited<ReturnType<typeof store.readDueLetters>>): Map<StreamMessage, number> {
  const numbers = new Map<StreamMessage, number>();
  for (const { number, messageId, kind, device, tenant, at, body } of letters) {
    numbers.set({ id: messageId, kind, device: device ?? undefined, tenant, at, body }, number);
  }
  return numbers;
}

/** Messages of an entry that a stream selects. */
function selection(stream: store.StreamRow, { source, tenantName }: WorkerDeps) {
  const { tenantId } = stream;
  const kinds = new Set(stream.kinds);
  const types = new Set(stream.kinds.map((kind) => (kind === 'alarm' ? 'position' : kind)));
  const only = stream.vehicles === null ? undefined : new Set(stream.vehicles);
  const isSelected = (face: NonNullable<LiveEvent['face']>): boolean =>
    (tenantId === null || face.tenantId === tenantId) &&
    (only === undefined || only.has(face.imei) || (face.targa !== null && only.has(face.targa)));
  return async (entry: Entry): Promise<StreamMessage[]> => {
    if (entry.kind === 'rules' || !types.has(TYPES[entry.kind])) return [];
    const events = await source.eventsOf(entry, isSelected);
    return events.flatMap((event) => {
      if (tenantId !== null && event.tenantId !== tenantId) return [];
      if (event.face === undefined ? only !== undefined : !isSelected(event.face)) return [];
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
