import { EventEmitter } from 'node:events';
import { setImmediate as nextLoop } from 'node:timers/promises';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { waitWhileBusy } from '../../../src/server/database/wait-while-busy.ts';

type Done = (error: Error | undefined, client?: object) => void;

/** A pool whose clients are handed out by the test. */
class Pool extends EventEmitter {
  readonly waiting: Done[] = [];
  connect(done: Done): void {
    this.waiting.push(done);
  }
  async answer(error: Error | undefined, client?: object): Promise<void> {
    this.waiting.shift()!(error, client);
    await nextLoop();
    await nextLoop();
  }
}
const over = () => new Error('timeout exceeded when trying to connect');
const client = { name: 'a client' };

function open(most = 3) {
  const pool = new Pool();
  waitWhileBusy(pool as unknown as pg.Pool, most);
  const { connect } = pool as unknown as { connect: () => Promise<object> };
  return { pool, connect };
}

test('waits again where others were answered meanwhile', async () => {
  const { pool, connect } = open();
  const waiter = connect();
  pool.emit('release', undefined);
  await pool.answer(over());
  expect(pool.waiting).toHaveLength(1);
  await pool.answer(undefined, client);
  expect(await waiter).toBe(client);
});

test('sees what is received after a pause of the process', async () => {
  const { pool, connect } = open();
  const waiter = connect();
  setImmediate(() => pool.emit('release', undefined));
  await pool.answer(over());
  await pool.answer(undefined, client);
  expect(await waiter).toBe(client);
});

test.each([
  ['nobody was answered', []],
  ['clients were given back because they failed', [new Error('Connection terminated')]],
])('waits no longer where %s', async (_, failures) => {
  const { pool, connect } = open();
  const waiter = expect(connect()).rejects.toThrow('timeout exceeded');
  for (const failure of failures) pool.emit('release', failure);
  await pool.answer(over());
  await waiter;
  expect(pool.waiting).toEqual([]);
});

test('does not wait for ever, and not where the database refuses', async () => {
  const { pool, connect } = open(2);
  const busy = expect(connect()).rejects.toThrow('timeout exceeded');
  for (const _ of [1, 2]) {
    pool.emit('release', undefined);
    await pool.answer(over());
  }
  await busy;
  const refused = expect(connect()).rejects.toThrow('ECONNREFUSED');
  pool.emit('release', undefined);
  await pool.answer(new Error('connect ECONNREFUSED'));
  await refused;
  expect(pool.waiting).toEqual([]);
});
