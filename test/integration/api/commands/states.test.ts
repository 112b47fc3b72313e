import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../../../src/server/index.ts';
import { type CommandWorld, openCommands } from './support.ts';

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands();
});
afterAll(() => world?.stop());

const order = async (body: object): Promise<string> => {
  const made = await world.enqueue({ gprsCommand: 'getinfo', ...body });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return made.body.commandId;
};
const path = (id: string, rest = '') => `/v1/gprsCommands/${id}${rest}`;
const find = async (id: string, query = '') => (await world.api.get(path(id, query))).body;
const statusOf = async (id: string): Promise<string> => (await find(id)).status;

/** a device whose first command has been sent and waits for its answer */
async function sentTo(body: object = {}) {
  const gateway = await world.gateway();
  const imei = await world.device();
  await gateway.connect(imei);
  const id = await order({ imei, ...body });
  const line = await gateway.next();
  await gateway.sent(line);
  return { gateway, imei, id, line };
}

describe('a command in flight', () => {
  test('ends with the answer of the device and reports all of it', async () => {
    const { gateway, imei, id, line } = await sentTo();
    expect(await find(id)).toMatchObject({
      status: 'sent',
      gatewayId: gateway.name,
      attempts: 1,
      sentAt: expect.any(String),
    });
    await gateway.answer(line, { text: 'INI:2026/1/1' });
    const done = await find(id);
    expect(done).toMatchObject({
      imei,
      status: 'acknowledged',
      ackBy: 'device',
      response: 'INI:2026/1/1',
      error: null,
    });
    expect(done.history.map(({ from, to }: { from: string; to: string }) => [from, to])).toEqual([
      [null, 'pending'],
      ['pending', 'sending'],
      ['sending', 'sent'],
      ['sent', 'acknowledged'],
    ]);
  });

  test('that the device rejects fails, with the answer and the reason', async () => {
    const { gateway, id, line } = await sentTo();
    await gateway.answer(line, {
      outcome: 'refused',
      text: undefined,
      bytes: Buffer.from('beef', 'hex').toString('base64'),
    });
    expect(await find(id)).toMatchObject({ status: 'failed', response: 'beef', error: 'refused-by-device' });
  });

  test('that the gateway cannot send reports the reason', async () => {
    const { gateway, imei, line } = await sentTo();
    await world.api.send('DELETE', path(imei, '/reset?includeInFlight=true'));
    await gateway.answer(line);
    await order({ imei });
    const { commandId, attempt, conn } = await gateway.next();
    await gateway.report({
      type: 'not-sent',
      commandId,
      attempt,
      conn,
      imei,
      reason: 'no such thing',
      permanent: true,
    });
    expect(await find(commandId)).toMatchObject({ status: 'failed', error: 'unsupported-by-protocol: no such thing' });
  });
});

describe('a request that waits', () => {
  test('returns the outcome, the answer and its encoding', async () => {
    const gateway = await world.gateway();
    const imei = await world.device();
    await gateway.connect(imei);
    const cases = [
      [{ text: 'Ver:03.27' }, 'acknowledged', 'Ver:03.27', 'text'],
      [{ text: undefined, bytes: Buffer.from([1, 0xff]).toString('base64') }, 'acknowledged', '01ff', 'hex'],
      [{ outcome: 'refused', text: 'no' }, 'failed', 'no', 'text'],
    ] as const;
    for (const [answer, status, response, responseEncoding] of cases) {
      const waiting = world.enqueue({ imei, gprsCommand: 'getver' }, {}, '?wait=60');
      const line = await gateway.next();
      await gateway.sent(line);
      await gateway.answer(line, answer);
      const { body } = await waiting;
      expect(body).toMatchObject({ message: `Command ${status}`, status, response, responseEncoding });
      expect(await find(body.commandId)).toMatchObject({ response, responseEncoding });
    }
    const open = await world.enqueue({ imei: await world.device(), gprsCommand: 'x' }, {}, '?wait=0.1');
    expect(open.body).toMatchObject({ message: 'Command queued', status: 'pending', response: null });
    gateway.close();
  });

  test('an id with the prefix of commands that does not exist is an unknown command', async () => {
    for (const method of ['DELETE', 'PUT']) {
      const answer = await world.api.send(method, '/v1/gprsCommands/cmd_nope/reset', {});
      expect(answer.body).toMatchObject({ status: 404, code: 'unknown-command' });
    }
  });

  test('is answered when the command has ended, for both operations that wait', async () => {
    const { gateway, imei, id, line } = await sentTo();
    const waiting = world.api.get(path(id, '?wait=60'));
    const queued = world.enqueue({ imei, gprsCommand: 'second' }, {}, '?wait=60');
    await gateway.answer(line);
    expect((await waiting).body).toMatchObject({ status: 'acknowledged', response: 'OK' });
    const second = await gateway.next();
    await gateway.sent(second);
    await gateway.answer(second);
    expect((await queued).body).toMatchObject({ commandId: second.commandId, status: 'acknowledged' });
  });

  test('is answered when another process ends the command', async () => {
    const imei = await world.device();
    const id = await order({ imei });
    const waiting = world.api.get(path(id, '?wait=60'));
    await world.sql(`update command set state = 'cancelled', ended_at = now() where id = $1`, [id]);
    expect((await waiting).body.status).toBe('cancelled');
  });

  test('is answered when the time is over, and refuses an invalid wait time', async () => {
    const id = await order({ imei: await world.device() });
    expect((await world.api.get(path(id, '?wait=1'))).body.status).toBe('pending');
    for (const wait of ['61', '-1', 'x']) expect((await world.api.get(path(id, `?wait=${wait}`))).status).toBe(422);
  });
});

describe('the entity tag', () => {
  test('changes with the command, and saves the body if it has not changed', async () => {
    const imei = await world.device();
    const id = await order({ imei });
    const first = await world.api.get(path(id));
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[\w-]+"$/);
    const same = await world.api.get(path(id), { 'if-none-match': etag });
    expect(same).toMatchObject({ status: 304, body: '' });
    await world.api.send('DELETE', path(id));
    const changed = await world.api.get(path(id), { 'if-none-match': etag });
    expect(changed).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  });
});

describe('cancelling', () => {
  test('cancels a pending command and returns its previous state', async () => {
    const id = await order({ imei: await world.device() });
    expect((await world.api.send('DELETE', path(id))).body).toEqual({
      message: 'Command cancelled',
      commandId: id,
      status: 'cancelled',
      wasStatus: 'pending',
    });
    expect((await world.api.send('DELETE', path(id))).body).toMatchObject({ status: 409, code: 'already-final' });
  });

  test('cancels a command in flight with force only', async () => {
    const { id } = await sentTo();
    expect((await world.api.send('DELETE', path(id))).body).toMatchObject({ status: 409, code: 'command-in-flight' });
    expect(await statusOf(id)).toBe('sent');
    const forced = await world.api.send('DELETE', path(id, '?force=true'));
    expect(forced.body).toMatchObject({ status: 'cancelled', wasStatus: 'sent' });
    expect(await find(id)).toMatchObject({ mayHaveExecuted: true, error: 'cancelled' });
  });

  test('does not find an unknown command', async () => {
    for (const id of ['cmd_1', `cmd_${'0'.repeat(32)}`, '%00', 'a%00b']) {
      expect((await world.api.send('DELETE', path(id))).body).toMatchObject({ status: 404, code: 'unknown-command' });
      expect((await world.api.get(path(id))).body).toMatchObject({ status: 404, code: 'unknown-command' });
    }
  });
});

describe('flushing', () => {
  test('cancels all pending commands, and commands in flight if requested', async () => {
    const { imei, id } = await sentTo();
    const more = [await order({ imei }), await order({ imei })];
    expect((await world.api.send('DELETE', path(imei, '/reset'))).body).toEqual({
      message: 'Commands cancelled',
      imei,
      cancelled: 2,
      skippedInFlight: 1,
      commandIds: more,
    });
    expect(await statusOf(id)).toBe('sent');
    const rest = await world.api.send('DELETE', path(imei, '/reset?includeInFlight=true'));
    expect(rest.body).toMatchObject({ cancelled: 1, skippedInFlight: 0, commandIds: [id] });
  });

  test('accepts the id of one command as well', async () => {
    const { imei, id, gateway, line } = await sentTo();
    const other = await order({ imei });
    expect((await world.api.send('DELETE', path(id, '/reset'))).body).toMatchObject({
      cancelled: 0,
      skippedInFlight: 1,
    });
    expect((await world.api.send('DELETE', path(id, '/reset?includeInFlight=1'))).body).toMatchObject({
      imei,
      cancelled: 1,
      commandIds: [id],
    });
    expect((await world.api.send('DELETE', path(id, '/reset'))).body.code).toBe('already-final');
    expect((await world.api.send('DELETE', path(`cmd_${'0'.repeat(32)}`, '/reset'))).body.code).toBe('unknown-command');
    expect((await world.api.send('DELETE', path('nobody', '/reset'))).body.code).toBe('unknown-device');
    // the device may still answer what was cancelled
    expect(await statusOf(other)).toBe('pending');
    await gateway.answer(line);
    expect(await statusOf(other)).toBe('sending');
  });
});

describe('resetting', () => {
  const rearm = (target: string, body?: object, headers = {}) =>
    world.api.send('PUT', path(target, '/reset'), body, headers);

  test('an acknowledged command is refused, and nothing changes', async () => {
    const { gateway, imei, id, line } = await sentTo();
    await gateway.answer(line);
    const before = await find(id);
    expect((await rearm(id, {})).body).toMatchObject({ status: 409, code: 'already-final' });
    expect((await rearm(imei, { commandIds: [id] })).body).toMatchObject({
      requeued: 0,
      skipped: [{ commandId: id, reason: 'acknowledged' }],
    });
    expect(await find(id)).toEqual(before);
  });

  test('restarts attempts and time to live', async () => {
    const { gateway, imei, id, line } = await sentTo({ ttlSeconds: 100 });
    await gateway.answer(line, { outcome: 'refused' });
    await gateway.disconnect(imei);
    expect((await rearm(imei)).body).toEqual({
      message: 'Commands queued again',
      imei,
      requeued: 1,
      commandIds: [id],
      skipped: [],
    });
    const again = await find(id);
    expect(again).toMatchObject({ status: 'pending', attempts: 0, response: null, error: null });
    expect(Date.parse(again.expiresAt) - Date.parse(again.history.at(-1).at)).toBeGreaterThan(99_000);
    expect((await rearm(id)).body).toMatchObject({ requeued: 0, skipped: [{ commandId: id, reason: 'pending' }] });
  });

  test('a command that is not repeatable and may have been executed needs force', async () => {
    const { imei, id } = await sentTo({ delivery: 'at_most_once' });
    expect((await rearm(id)).body).toMatchObject({ status: 409, code: 'at-most-once' });
    expect((await rearm(imei)).body).toMatchObject({
      requeued: 0,
      skipped: [{ commandId: id, reason: 'at-most-once' }],
    });
    expect((await rearm(id, { force: true })).body).toMatchObject({ requeued: 1, commandIds: [id] });
  });

  test('a privileged command needs its scope again', async () => {
    const { gateway, id, line } = await sentTo({ gprsCommand: undefined, type: 'engineStop' });
    await gateway.answer(line, { outcome: 'refused' });
    const key = await world.key(SCOPES.filter((scope) => scope !== 'commands:privileged'));
    expect((await rearm(id, { force: true }, key)).body).toMatchObject({ status: 403, code: 'missing-scope' });
    expect((await rearm(id, { force: true, ttlSeconds: 400 })).body.code).toBe('ttl-out-of-range');
    expect((await rearm(id, { ttlSeconds: 1e10 })).body.code).toBe('ttl-out-of-range');
    expect(await statusOf(id)).toBe('failed');
    expect((await rearm(id, { force: true })).body.requeued).toBe(1);
  });

  test('does not exceed the limit of the device’s queue', async () => {
    const imei = await world.device();
    await world.fill(imei, 60);
    await world.sql(
      `update command set state = 'failed', ended_at = now()
      where device_id = (select id from device where imei = $1)`,
      [imei],
    );
    await world.fill(imei, 50);
    const done = await rearm(imei);
    expect(done.body.requeued).toBe(50);
    expect(done.body.skipped).toHaveLength(10);
    expect(done.body.skipped[0].reason).toBe('device-queue-full');
    expect((await rearm(done.body.skipped[0].commandId)).body.code).toBe('device-queue-full');
  });

  test('does not create a second open command with the same dedupeKey', async () => {
    const imei = await world.device();
    const first = await order({ imei, dedupeKey: 'k' });
    await world.sql(`update command set state = 'failed', ended_at = now() where id = $1`, [first]);
    await order({ imei, dedupeKey: 'k' });
    expect((await rearm(first)).body).toMatchObject({ status: 409, code: 'duplicate-pending' });
    expect(await statusOf(first)).toBe('failed');
  });

  test('accepts the documented states only', async () => {
    const imei = await world.device();
    expect((await rearm(imei, { statuses: ['acknowledged'] })).body.code).toBe('invalid');
    expect((await rearm('nobody', {})).body.code).toBe('unknown-device');
    expect((await rearm(imei, { commandIds: ['cmd_x'] })).body.skipped).toEqual([
      { commandId: 'cmd_x', reason: 'unknown-command' },
    ]);
  });
});

test('a command that goes back to pending keeps its dedupeKey', async () => {
  const { gateway, imei, id } = await sentTo({ dedupeKey: 'k' });
  expect((await world.enqueue({ imei, gprsCommand: 'x', dedupeKey: 'k' })).body.code).toBe('duplicate-pending');
  await gateway.disconnect(imei);
  expect(await statusOf(id)).toBe('pending');
});
