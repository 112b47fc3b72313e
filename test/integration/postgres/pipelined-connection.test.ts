import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPipelinedConnection, type Queryable } from '../../../src/server/database/index.ts';
import { createPool } from '../../../src/server/database/pool.ts';
import { silent } from '../../support/api.ts';
import { dropDatabases, withEmptyDatabase } from '../../support/databases.ts';

let pool: pg.Pool;
beforeAll(async () => {
  pool = await withEmptyDatabase(async (url) => createPool({ database: { url }, name: 'track', max: 2 }, silent));
  await pool.query(
    'create schema fleetgate; create table stop (n int primary key, pid int not null default pg_backend_pid())',
  );
});
beforeEach(() => pool.query('truncate stop'));
afterAll(async () => {
  await pool?.end();
  await dropDatabases();
});

const stopAt =
  (...numbers: readonly number[]) =>
  async (tx: Queryable): Promise<number> => {
    const sent = numbers.map((n) => tx.query('insert into stop (n) values ($1) returning pid', [n]));
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return (await sent[0]!).rows[0].pid;
  };
const stops = async (): Promise<number[]> =>
  (await pool.query('select n from stop order by n')).rows.map(({ n }: { n: number }) => n);

describe('transactions on a pipelined connection', () => {
  test('run one after the other, without waiting for results', async () => {
    const track = createPipelinedConnection(pool);
    const done: number[] = [];
    const pids = await Promise.all(
      [1, 2, 3].map(async (n) => {
        const pid = await track.run(stopAt(n));
        done.push(n);
        return pid;
      }),
    );
    expect(new Set(pids).size).toBe(1);
    expect(done).toEqual([1, 2, 3]);
    expect(await stops()).toEqual([1, 2, 3]);
    expect(pool.idleCount).toBe(pool.totalCount);
  });

  test('fail as a whole, without effect on others', async () => {
    const track = createPipelinedConnection(pool);
    const runs = [track.run(stopAt(1)), track.run(stopAt(2, 1, 3)), track.run(stopAt(4))];
    const outcomes = await Promise.allSettled(runs);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: '23505' } });
    expect(await stops()).toEqual([1, 4]);
  });

  test('fail with `unavailable` if the connection is lost, and continue on another', async () => {
    const track = createPipelinedConnection(pool);
    const dying = track.run(async (tx) => {
      await tx.query('select pg_terminate_backend(pg_backend_pid())');
    });
    const behind = track.run(stopAt(1));
    await expect(dying).rejects.toMatchObject({ code: 'unavailable' });
    await expect(behind).rejects.toMatchObject({ code: 'unavailable' });
    await track.run(stopAt(2));
    expect(await stops()).toEqual([2]);
  });

  test('release the connection if another request waits for one', async () => {
    const track = createPipelinedConnection(pool);
    const others = await pool.connect();
    const order: string[] = [];
    let hasBegun = (): void => {};
    const beginning = new Promise<void>((resolve) => {
      hasBegun = resolve;
    });
    const running = track.run((tx) => {
      hasBegun();
      return stopAt(1)(tx);
    });
    const first = running.then(() => order.push('first'));
    await beginning;
    const waiting = pool.connect().then((client) => {
      order.push('waiting');
      client.release();
    });
    const behind = track.run(stopAt(2)).then(() => order.push('behind'));
    await Promise.all([first, waiting, behind]);
    others.release();
    expect(order).toEqual(['first', 'waiting', 'behind']);
  });
});

describe('values of a statement', () => {
  test('are received unchanged, large ones beside small ones', async () => {
    const large = Buffer.from(Array.from({ length: 100_000 }, (_, n) => n % 251));
    const { rows } = await pool.query({
      name: 'wide',
      text: 'select $1::bytea as a, $2::text as b, $3::int as c, $4::bytea as d, $5::text as e, $6::bool as f',
      values: [large, 'è così', 7, large.subarray(0, 5_000), null, true],
    });
    expect(rows).toEqual([{ a: large, b: 'è così', c: 7, d: large.subarray(0, 5_000), e: null, f: true }]);
    const { rows: text } = await pool.query('select length($1::text) as n, $2::bytea as a', [
      'x'.repeat(70_000),
      large,
    ]);
    expect(text).toEqual([{ n: 70_000, a: large }]);
  });
});
