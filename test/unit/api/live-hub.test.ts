import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type pg from 'pg';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { compare, type Entry } from '../../../src/server/ingest/feed/index.ts';
import type { View } from '../../../src/server/live/events/client.ts';
import type { LiveEvent } from '../../../src/server/live/events/event.ts';
import { Hub } from '../../../src/server/live/events/hub.ts';

/** A response that keeps what is written. */
class Output extends EventEmitter {
  readonly destroyed = false;
  readonly writableEnded = false;
  readonly writableLength = 0;
  readonly targhe: string[] = [];
  writeHead(): void {}
  write(text: string): boolean {
    const targa = /"targa":"(\w+)"/.exec(text)?.[1];
    if (targa !== undefined) {
      this.targhe.push(targa);
      this.emit('event');
    }
    return true;
  }
  end(): void {
    this.emit('close');
  }
  destroy(): void {}
}

const VEHICLES: Readonly<Record<string, readonly string[]>> = { ann: ['v1'], bob: ['v2'] };
const hubs: Hub[] = [];
afterEach(async () => {
  for (const hub of hubs.splice(0)) await hub.close();
});

function start() {
  const entries: Entry[] = [];
  const reads = new EventEmitter();
  /** reads of the vehicles of users that wait for the test */
  const held: { readonly users: string; release(): void }[] = [];
  let holds = false;
  const answer = async (query: { name?: string; values?: unknown[] } | string): Promise<unknown[]> => {
    const name = typeof query === 'string' ? 'floor' : query.name;
    const values = typeof query === 'string' ? [] : (query.values ?? []);
    if (name === 'feed-head') return [{ xid: '0' }];
    if (name === 'feed-read') {
      const after = { xid: String(values[0]), seq: Number(values[1]) };
      return entries.filter((entry) => compare(entry, after) > 0).map((entry) => ({ ...entry, detail: null }));
    }
    if (name !== 'live-vehicles') return [];
    const users = Object.keys(VEHICLES).filter((user) => (values[0] as Buffer).includes(user));
    if (holds) {
      await new Promise<void>((release) => {
        held.push({ users: users.join(), release });
        reads.emit('held');
      });
    }
    return users.map((userId) => ({ userId, seesAll: false, vehicles: VEHICLES[userId] }));
  };
  const hub = new Hub({
    feed: { expect: () => {} } as never,
    pool: { query: async (query: never) => ({ rows: await answer(query) }) } as unknown as pg.Pool,
    source: {
      forget: () => {},
      eventsOf: async (entry) =>
        entry.kind !== 'positions'
          ? []
          : ['v1', 'v2'].map((vehicleId, n): LiveEvent => {
              const device = { deviceId: n + 1, tenantId: 1, imei: `imei-${n}`, vehicleId, targa: `T${n + 1}` };
              const data = (): string => JSON.stringify({ targa: device.targa });
              const { xid, seq } = entry;
              return {
                type: 'position',
                tenantId: 1,
                at: 0,
                xid,
                seq,
                token: String(n),
                device,
                userId: undefined,
                data,
              };
            }),
    },
    clock: systemClock,
    log: pino({ level: 'silent' }),
    mostClients: 10,
    holds: async () => true,
    everyMs: 1,
  });
  hubs.push(hub);
  const view = (userId: string): View => ({
    tenantId: 1,
    userId,
    types: new Set(['position']),
    vehicles: new Set(),
    only: undefined,
  });
  return {
    open: async (user: string): Promise<Output> => {
      const output = new Output();
      await hub.open(output as unknown as ServerResponse, view(user), '', undefined);
      return output;
    },
    /** the hub is opened for a user, and waits for his vehicles */
    begin(user: string): { output: Output; opened: Promise<void> } {
      const output = new Output();
      return { output, opened: hub.open(output as unknown as ServerResponse, view(user), '', undefined) };
    },
    add: (kind: 'positions' | 'rules'): void => {
      entries.push({ xid: '1', seq: entries.length + 1, kind });
    },
    hold: (): void => {
      holds = true;
    },
    async nextRead(): Promise<{ readonly users: string; release(): void }> {
      while (held.length === 0) await once(reads, 'held');
      return held.shift()!;
    },
  };
}

test('a client that joins while vehicles of users are read again sees its own vehicles and never others', async () => {
  const { open, begin, add, hold, nextRead } = start();
  const ann = await open('ann');
  add('positions');
  while (ann.targhe.length < 1) await once(ann, 'event');
  hold();
  add('rules');
  const refresh = await nextRead();
  expect(refresh.users).toBe('ann');
  const { output: bob, opened } = begin('bob');
  const own = await nextRead();
  expect(own.users).toBe('bob');
  add('positions');
  refresh.release();
  while (ann.targhe.length < 2) await once(ann, 'event');
  expect(bob.targhe).toEqual([]);
  own.release();
  await opened;
  add('positions');
  while (bob.targhe.length < 1) await once(bob, 'event');
  expect(ann.targhe.every((targa) => targa === 'T1')).toBe(true);
  expect(bob.targhe.every((targa) => targa === 'T2')).toBe(true);
});
