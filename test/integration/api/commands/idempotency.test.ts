import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandWorld, openCommands } from './support.ts';

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands();
});
afterAll(() => world?.stop());

let keys = 0;
const newKey = () => ({ 'idempotency-key': `key-${++keys}` });
/** as a process leaves it that dies in the middle */
const orphan = (key: string) =>
  world.sql(
    `update idempotency set status = null, body = null, running_until = now() - interval '1 second' where key = $1`,
    [key],
  );

describe('a request with an Idempotency-Key', () => {
  test('that is repeated gets the answer of the first request and queues nothing', async () => {
    const imei = await world.device();
    const key = newKey();
    const body = { imei, gprsCommand: 'getinfo' };
    const first = await world.enqueue(body, key);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const before = await world.commands();
    // the state is that of the first answer, whatever has happened since
    await world.api.send('DELETE', `/v1/gprsCommands/${first.body.commandId}`);
    for (const query of ['', '?wait=1']) {
      const again = await world.enqueue(body, key, query);
      expect(again).toMatchObject({ status: 200, body: first.body });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.headers.get('content-type')).toMatch(/^application\/json/);
    }
    expect(await world.commands()).toBe(before);
  });

  test('with another body is refused', async () => {
    const imei = await world.device();
    const key = newKey();
    await world.enqueue({ imei, gprsCommand: 'a' }, key);
    const other = await world.enqueue({ imei, gprsCommand: 'b' }, key);
    expect(other.body).toMatchObject({ status: 422, code: 'idempotency-key-reused' });
    const elsewhere = await world.api.send('PUT', `/v1/gprsCommands/${imei}/reset`, { imei, gprsCommand: 'a' }, key);
    expect(elsewhere.body.code).toBe('idempotency-key-reused');
  });

  test('that is sent many times at once queues one command', async () => {
    const imei = await world.device();
    const key = newKey();
    const before = await world.commands();
    const all = await Promise.all(
      Array.from({ length: 20 }, () => world.enqueue({ imei, gprsCommand: 'getinfo' }, key)),
    );
    expect(await world.commands()).toBe(before + 1);
    const done = all.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ body }) => body.commandId)).size).toBe(1);
    for (const { body } of all.filter(({ status }) => status !== 200)) {
      expect(body).toMatchObject({ status: 409, code: 'idempotency-key-in-use' });
    }
  });

  test('that is still in progress is answered with a conflict', async () => {
    const imei = await world.device();
    const key = newKey();
    const body = { imei, gprsCommand: 'getinfo' };
    const first = world.enqueue(body, key, '?wait=60');
    while ((await world.commands()) === 0 || (await pendingOf(imei)).length === 0);
    const meanwhile = await world.enqueue(body, key);
    expect(meanwhile.body).toMatchObject({ status: 409, code: 'idempotency-key-in-use' });
    expect(meanwhile.headers.get('retry-after')).toBe('1');
    await world.api.send('DELETE', `/v1/gprsCommands/${imei}/reset`);
    expect((await first).body.status).toBe('cancelled');
    expect((await world.enqueue(body, key)).body).toEqual((await first).body);
  });

  test('that was refused does not use the key', async () => {
    const key = newKey();
    expect((await world.enqueue({ imei: '', gprsCommand: 'x' }, key)).body.code).toBe('bad-device-id');
    const imei = await world.device();
    expect((await world.enqueue({ imei, gprsCommand: 'x' }, key)).status).toBe(200);
  });

  test('whose process was killed is processed again, and queues the missing commands', async () => {
    const imei = await world.device();
    const key = newKey();
    const body = { imei, gprsCommand: 'getinfo' };
    const first = await world.enqueue(body, key);
    const before = await world.commands();
    await orphan(key['idempotency-key']);
    expect((await world.enqueue(body, key)).body.commandId).toBe(first.body.commandId);
    expect(await world.commands()).toBe(before);
    await world.sql('delete from command where id = $1', [first.body.commandId]);
    await orphan(key['idempotency-key']);
    expect((await world.enqueue(body, key)).body.commandId).toBe(first.body.commandId);
    expect(await world.commands()).toBe(before);
  });

  test('belongs to one tenant and is forgotten after a day', async () => {
    const imei = await world.device();
    const key = newKey();
    const first = await world.enqueue({ imei, gprsCommand: 'x' }, key);
    const otherTenant = await world.key(['commands:write', 'devices:write'], 'other-tenant');
    const theirs = await world.device({}, otherTenant);
    expect((await world.enqueue({ imei: theirs, gprsCommand: 'y' }, { ...otherTenant, ...key })).status).toBe(200);
    await world.sql(`update idempotency set created_at = now() - interval '25 hours'`);
    const next = await world.enqueue({ imei, gprsCommand: 'x' }, key);
    expect(next.status).toBe(200);
    expect(next.body.commandId).not.toBe(first.body.commandId);
    await world.sql(`update idempotency set created_at = now() - interval '25 hours'`);
    await world.api.api.housekeeping.run();
    expect(await world.sql('select key from idempotency')).toEqual([]);
  });

  test('is rejected if the key is malformed', async () => {
    const imei = await world.device();
    for (const bad of ['x'.repeat(256), 'a b']) {
      const answer = await world.enqueue({ imei, gprsCommand: 'x' }, { 'idempotency-key': bad });
      expect(answer.body.code).toBe('malformed');
    }
  });
});

const pendingOf = async (imei: string): Promise<unknown[]> =>
  (await world.api.get(`/v1/gprsCommands/pending/${imei}`)).body.items;
