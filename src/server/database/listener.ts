import { EventEmitter } from 'node:events';
import type pg from 'pg';
import type { Log } from '../../platform/log.ts';
import { Mutex } from '../../platform/mutex.ts';

/** One connection that LISTENs for the whole process and comes back by itself. */
export interface Listener {
  /** `channel` is ours and needs no quoting. Returns how to stop. */
  on(channel: string, emitter: (payload: string) => void): () => void;
  /** Called when notifications may have been missed: after each reconnection. */
  onGap(missed: () => void): () => void;
  /** Delivers a notification to the listeners of this process at once, before PostgreSQL does. */
  notify(channel: string, payload: string): void;
  close(): Promise<void>;
}

const RETRY_MS = 500;

export function startListener(connect: () => pg.Client, log: Log): Listener {
  const emitter = new EventEmitter().setMaxListeners(0);
  const gaps = new EventEmitter().setMaxListeners(0);
  const channels = new Set<string>();
  let client: pg.Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let hasBeenConnected = false;

  /** One query at a time: pg's next version has no queue of its own. */
  const queries = new Mutex();
  const listen = (to: pg.Client, channel: string): void => {
    void queries.run(() => to.query(`listen ${channel}`).catch(() => to.end().catch(() => {})));
  };
  const open = async (): Promise<void> => {
    const next = connect();
    let over = false;
    const lost = (): void => {
      if (over) return;
      over = true;
      if (client === next) client = undefined;
      next.end().catch(() => {});
      if (!closed) retry = setTimeout(() => void open(), RETRY_MS);
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', ({ channel, payload }) => emitter.emit(channel, payload ?? ''));
    try {
      await next.connect();
    } catch (error) {
      log.warn({ err: (error as Error).message }, 'cannot listen to the database');
      lost();
      return;
    }
    if (closed) {
      await next.end().catch(() => {});
      return;
    }
    client = next;
    for (const channel of channels) listen(next, channel);
    if (hasBeenConnected) gaps.emit('gap');
    hasBeenConnected = true;
  };
  void open();

  return {
    on(channel, callback) {
      emitter.on(channel, callback);
      if (!channels.has(channel)) {
        channels.add(channel);
        if (client !== undefined) listen(client, channel);
      }
      return () => emitter.off(channel, callback);
    },
    onGap(callback) {
      gaps.on('gap', callback);
      return () => gaps.off('gap', callback);
    },
    notify: (channel, payload) => void emitter.emit(channel, payload),
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}
