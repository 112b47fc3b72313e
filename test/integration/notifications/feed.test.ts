import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transaction } from '../../../src/server/database/index.ts';
import {
  compare,
  createFeed,
  createShardedFollower,
  type Entry,
  type FeedPosition,
  type Follower,
  type FollowerWork,
  listBehind,
  type Place,
  readEnd,
  readEntries,
  readHead,
} from '../../../src/server/ingest/feed/index.ts';
import { packKeys, unpackKeys } from '../../../src/server/ingest/feed/keys.ts';
import { listWithNews, readLag, readStretch } from '../../../src/server/ingest/feed/store.ts';
import { type RunningApi, silent, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { positionEvent } from '../../support/positions.ts';

const feed = createFeed();
let api: RunningApi;
let url: string;

beforeAll(async () => {
  api = await withDatabase((one) => {
    url = one;
    return startApi(one, {}, { feed });
  });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

/** Everything stored until now can be read: a transaction of any database of the server may hold it back. */
const readable = async (): Promise<void> => {
  const { ingest } = api.database;
  const end = BigInt((await readEnd(ingest)).xid);
  await expect.poll(async () => BigInt((await readHead(ingest)).xid) >= end).toBe(true);
};

const positionsAfter = async (place: Place, by = feed): Promise<FeedPosition[]> => {
  await readable();
  const entries = await readEntries(api.database.ingest, place, 100);
  const lists = entries
    .filter(({ kind }) => kind === 'positions')
    .map((entry) => by.positions(api.database.ingest, entry, () => true));
  return (await Promise.all(lists)).flat();
};

/** A follower of which one shard works. */
const followOne = ({ name, batchSize, ...work }: FollowerWork & { name: string; batchSize: number }): Follower =>
  createShardedFollower({
    name,
    pool: api.database.ingest,
    log: silent,
    everyMs: 10,
    batchSize,
    work: (shard) => (shard === 0 ? work : { handle: async () => {} }),
  });

describe('the feed', () => {
  test('contains the keys of stored positions', () => {
    const keys = [
      { deviceId: 1, time: 0, id: 'A'.repeat(22) },
      { deviceId: 2 ** 52, time: -62_135_596_800_000, id: 'zZ09-_zZ09-_zZ09-_zZ0g' },
    ];
    expect(unpackKeys(packKeys(keys))).toEqual(keys);
  });

  test('returns the same rows to the process that wrote them and to others', async () => {
    const place = await readEnd(api.database.ingest);
    const outdated = positionEvent('feed-1', 3, { outdated: true, valid: false });
    const { latitude: _, longitude: __, ...bare } = outdated.position;
    await api.events([
      positionEvent('feed-1', 1),
      positionEvent('feed-1', 2, { accuracy: 4 }),
      { type: 'position', position: bare },
    ]);
    const own = await positionsAfter(place);
    const read = await positionsAfter(place, createFeed());
    expect(own).toHaveLength(3);
    const plain = (rows: readonly FeedPosition[]) =>
      rows.map(({ attributes, ...row }) => ({
        ...JSON.parse(JSON.stringify(row)),
        attributes: JSON.parse(attributes),
      }));
    expect(plain(read)).toEqual(plain(own));
  });

  test('contains repeated records once, also within one batch', async () => {
    const place = await readEnd(api.database.ingest);
    await api.events([positionEvent('feed-2', 1), positionEvent('feed-2', 2)], 'spool-a');
    await api.events([positionEvent('feed-2', 2), positionEvent('feed-2', 3), positionEvent('feed-2', 3)], 'spool-b');
    const ids = (await positionsAfter(place)).map(({ id }) => id);
    expect(ids).toEqual([1, 2, 3].map((n) => positionEvent('feed-2', n).position.id));
  });

  test('is read in the order of numbers, also where they get one more digit', async () => {
    const place = { xid: '7', seq: 0 };
    for (const xid of ['101', '9', '100', '99', '10']) {
      await api.database.ingest.query(
        `insert into feed (xid, kind, detail) values ($1::text::xid8, 'notifications', jsonb_build_array($1::text))`,
        [xid],
      );
    }
    const idsOf = (entries: readonly Entry[]): unknown[] =>
      entries.map((entry) => (entry.kind === 'notifications' ? entry.ids[0] : undefined));
    expect(idsOf(await readEntries(api.database.ingest, place, 2))).toEqual(['9', '10']);
    expect(idsOf(await readEntries(api.database.ingest, place, 5))).toEqual(['9', '10', '99', '100', '101']);
  });

  test('waits for running transactions: no entry appears before the position of a reader', async () => {
    const place = await readEnd(api.database.ingest);
    const [slow, quick] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
    await Promise.all([slow.connect(), quick.connect()]);
    const enter = (client: pg.Client, id: string) =>
      client.query(`insert into fleetgate.feed (kind, detail) values ('notifications', $1)`, [JSON.stringify([id])]);
    const heard: string[] = [];
    const follower = followOne({
      name: 'test',
      batchSize: 10,
      handle: async (_tx, entries: readonly Entry[]) => {
        for (const entry of entries) if (entry.kind === 'notifications') heard.push(...entry.ids);
      },
    });
    await readable();
    await follower.run();
    await slow.query('begin');
    await enter(slow, 'first');
    await enter(quick, 'second');
    await follower.run();
    expect(heard).toEqual([]);
    expect(await readEntries(api.database.ingest, place, 10)).toEqual([]);
    await slow.query('commit');
    await readable();
    await follower.run();
    expect(heard).toEqual(['first', 'second']);
    await readable();
    await follower.run();
    expect(heard).toEqual(['first', 'second']);
    expect(await follower.lag()).toBe(0);
    await follower.stop();
    await Promise.all([slow.end(), quick.end()]);
  });

  test('is processed by one follower at a time, and a failed step is repeated', async () => {
    const heard: string[][] = [[], []];
    let failures = 1;
    const followers = heard.map((list) =>
      followOne({
        name: 'pair',
        batchSize: 3,
        handle: async (_tx, entries) => {
          if (failures-- > 0) throw new Error('no');
          for (const entry of entries) if (entry.kind === 'notifications') list.push(...entry.ids);
        },
      }),
    );
    failures = 0;
    await readable();
    await followers[0]!.run();
    failures = 1;
    const ids = Array.from({ length: 20 }, (_, n) => `n${n}`);
    for (const id of ids) {
      await api.database.ingest.query(`insert into feed (kind, detail) values ('notifications', $1)`, [
        JSON.stringify([id]),
      ]);
    }
    await readable();
    await expect(followers[0]!.run()).rejects.toThrow('no');
    while (heard.flat().length < ids.length) await Promise.all(followers.map((follower) => follower.run()));
    expect(heard.flat().sort()).toEqual([...ids].sort());
    await Promise.all(followers.map((follower) => follower.stop()));
  });

  test('is passed over where it has kinds that are not wanted, until rules have changed', async () => {
    const { ingest } = api.database;
    const enter = (kind: string, detail: unknown) =>
      ingest.query('insert into feed (kind, detail) values ($1, $2)', [kind, JSON.stringify(detail)]);
    const heard: string[] = [];
    const places: (readonly [Place, Place])[] = [];
    let wanted: Entry['kind'][] | undefined;
    const follower = followOne({
      name: 'choosy',
      batchSize: 3,
      kinds: () => wanted,
      handle: async (_tx, entries, before, to) => {
        places.push([before, to]);
        if (entries.some(({ kind }) => kind === 'rules')) wanted = ['notifications'];
        heard.push(...entries.map((entry) => (entry.kind === 'notifications' ? entry.ids[0]! : entry.kind)));
      },
    });
    await readable();
    await follower.run();
    await enter('notifications', ['all']);
    await readable();
    await follower.run();
    wanted = ['notifications'];
    for (const id of ['1', '2', '3', '4']) {
      await enter('sessions', []);
      await enter('notifications', [id]);
    }
    await readable();
    await follower.run();
    expect(heard).toEqual(['all', '1', '2', '3', '4']);
    wanted = [];
    for (let n = 0; n < 5; n++) await enter('sessions', []);
    await readable();
    await follower.run();
    expect(await follower.lag()).toBe(0);
    await enter('sessions', []);
    await enter('rules', []);
    await enter('sessions', []);
    await enter('notifications', ['after']);
    await readable();
    await follower.run();
    expect(heard.slice(5)).toEqual(['sessions', 'rules', 'sessions', 'after']);
    // each round goes on where the one before has ended
    for (const [n, [before]] of places.entries()) if (n > 0) expect(compare(before, places[n - 1]![1])).toBe(0);
    await follower.stop();
  });

  test('is not read by questions of followers that have seen all of it', async () => {
    const { ingest } = api.database;
    await ingest.query(`insert into feed (kind, detail) select 'sessions', '[]' from generate_series(1, 5000)`);
    await ingest.query('analyze feed');
    await ingest.query(
      `insert into feed_cursor (name, xid, seq) select 'seen', xid, seq from feed order by xid desc, seq desc limit 1`,
    );
    const read = await transaction(ingest, async (tx) => {
      const before = await tx.query<Place>(`select xid::text, seq from feed_cursor where name = 'seen'`);
      expect(await listWithNews(tx, ['seen'])).toEqual([]);
      expect(await readStretch(tx, before.rows[0]!, 100, ['commands'])).toEqual({ entries: [], to: undefined });
      expect(await readLag(tx, 'seen')).toBe(0);
      await listBehind(tx, before.rows[0]!);
      const { rows } = await tx.query(`select seq_scan from pg_stat_xact_user_tables where relname = 'feed'`);
      return rows[0];
    });
    expect(read).toEqual({ seq_scan: 0 });
    await ingest.query(`delete from feed_cursor where name = 'seen'`);
  });

  test('of another server starts again', async () => {
    const follower = followOne({
      name: 'moved',
      batchSize: 10,
      handle: async (_tx, entries) => void heard.push(...entries),
    });
    const heard: Entry[] = [];
    await readable();
    await follower.run();
    await api.database.ingest.query(`update feed_cursor set xid = '999999999999'::xid8 where name like 'moved/%'`);
    await readable();
    await follower.run();
    heard.length = 0;
    await api.database.ingest.query(`insert into feed (kind, detail) values ('notifications', '["x"]')`);
    await readable();
    await follower.run();
    expect(heard).toHaveLength(1);
    await follower.stop();
  });
});
