import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../../../src/server/index.ts';
import { positionOf } from '../../../support/positions.ts';
import { type CommandWorld, openCommands } from './support.ts';

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands();
});
afterAll(() => world?.stop());

const order = async (body: object, headers = {}): Promise<string> =>
  (await world.enqueue({ gprsCommand: 'getinfo', ...body }, headers)).body.commandId;
const list = async (query: string, headers = {}) => (await world.api.get(`/v1/gprsCommands/?${query}`, headers)).body;
const idsOf = ({ items }: { items: { commandId: string }[] }): string[] => items.map(({ commandId }) => commandId);
const pending = async (imei: string) => (await world.api.get(`/v1/gprsCommands/pending/${imei}`)).body;

describe('the list', () => {
  test('returns the newest commands first, page by page, each once', async () => {
    const imei = await world.device();
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push(await order({ imei }));
    expect(idsOf(await list(`imei=${imei}`))).toEqual(ids.toReversed());
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await list(`imei=${imei}&limit=3${cursor}`);
      seen.push(...idsOf(page));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(ids.toReversed());
  });

  test('is filtered by status, time and batch', async () => {
    const imei = await world.device();
    const first = await order({ imei });
    await world.api.send('DELETE', `/v1/gprsCommands/${first}`);
    const second = await order({ imei });
    const { createdAt } = (await world.api.get(`/v1/gprsCommands/${second}`)).body;
    expect(idsOf(await list(`imei=${imei}&status=cancelled`))).toEqual([first]);
    expect(idsOf(await list(`imei=${imei}&status=cancelled,pending`))).toEqual([second, first]);
    expect(idsOf(await list(`imei=${imei}&since=${createdAt}`))).toEqual([second]);
    expect(idsOf(await list(`imei=${imei}&since=2100-01-01`))).toEqual([]);
    expect((await list('status=lost')).code).toBe('invalid');
    expect((await list('imei=nobody')).code).toBe('unknown-device');
    const body = { imeis: [imei], gprsCommand: 'x' };
    const batch = (await world.api.send('POST', '/v1/gprsCommands/batch', body)).body;
    expect(idsOf(await list(`batchId=${batch.batchId}`))).toEqual([batch.commands[0].commandId]);
    expect((await list('batchId=%00')).code).toBe('invalid');
  });

  test('accepts its own cursors only', async () => {
    const imei = await world.device();
    await order({ imei });
    await order({ imei });
    const { nextCursor } = await list(`imei=${imei}&limit=1`);
    expect((await list(`imei=${imei}&status=sent&cursor=${nextCursor}`)).code).toBe('bad-cursor');
    expect((await list(`imei=${imei}&cursor=${nextCursor.slice(0, -2)}xx`)).code).toBe('bad-cursor');
    expect((await world.api.get(`/v1/gprsCommands/pending?cursor=${nextCursor}`)).body.code).toBe('bad-cursor');
  });
});

describe('the list of pending commands', () => {
  test('is in delivery order, and each command has one reason', async () => {
    const imei = await world.device();
    const notBefore = Date.now() + 60_000;
    const last = await order({ imei, priority: 9 });
    const early = await order({ imei, priority: 1, notBefore });
    const middle = await order({ imei });
    const offline = await pending(imei);
    expect(offline).toMatchObject({ imei, online: false, sessionSince: null, inFlight: null });
    expect(idsOf(offline)).toEqual([early, middle, last]);
    expect(offline.oldestAgeMs).toBeGreaterThanOrEqual(0);
    expect(offline.explain).toEqual([
      { commandId: early, reason: 'not-before' },
      { commandId: middle, reason: 'device-offline' },
      { commandId: last, reason: 'device-offline' },
    ]);
    const gateway = await world.gateway();
    await gateway.connect(imei);
    const inFlight = (await gateway.next()).commandId;
    expect(inFlight).toBe(middle);
    const behind = await order({ imei, priority: 9 });
    const online = await pending(imei);
    expect(online).toMatchObject({ online: true, sessionSince: expect.any(String), inFlight });
    expect(online.explain).toEqual([
      { commandId: middle, reason: 'waiting-for-answer' },
      { commandId: early, reason: 'not-before' },
      { commandId: last, reason: 'waiting-for-answer' },
      { commandId: behind, reason: `behind:${last}` },
    ]);
  });

  test('names the condition that is not met, and reports a position that is too old to decide', async () => {
    const gateway = await world.gateway();
    const imei = await world.device();
    await gateway.connect(imei);
    const id = await order({ imei, conditions: { maxSpeed: 5 } });
    expect((await pending(imei)).explain).toEqual([{ commandId: id, reason: 'condition:no-fresh-position' }]);
    await gateway.report({ type: 'position', position: positionOf(imei, 0, { speed: 50 }, Date.now()) });
    expect((await pending(imei)).explain).toEqual([{ commandId: id, reason: 'condition:maxSpeed' }]);
    await gateway.report({ type: 'position', position: positionOf(imei, 1, { speed: 0, valid: false }, Date.now()) });
    expect((await pending(imei)).explain).toEqual([{ commandId: id, reason: 'condition:no-fresh-position' }]);
    expect(gateway.lines).toEqual([]);
    gateway.close();
  });

  test('reports the minimum gap between commands, and commands behind others', async () => {
    const imei = await world.device();
    const gateway = await world.gateway();
    await gateway.connect(imei);
    await world.sql(`update session set next_command_at = now() + interval '1 minute'`);
    const id = await order({ imei });
    expect((await pending(imei)).explain).toEqual([{ commandId: id, reason: 'gap' }]);
    // nobody holds the gateway's stream
    gateway.close();
    await world.sql('update session set next_command_at = null');
    expect((await pending(imei)).explain).toEqual([{ commandId: id, reason: 'queue-down' }]);
  });

  test('reports that the late answer to an earlier command blocks the connection', async () => {
    const imei = await world.device();
    const gateway = await world.gateway();
    await gateway.connect(imei);
    const cancelled = await order({ imei });
    const line = await gateway.next();
    await gateway.sent(line);
    await world.api.send('DELETE', `/v1/gprsCommands/${cancelled}?force=true`);
    const [id, next] = [await order({ imei }), await order({ imei })];
    expect(await pending(imei)).toMatchObject({
      inFlight: null,
      explain: [
        { commandId: id, reason: 'waiting-for-answer' },
        { commandId: next, reason: `behind:${id}` },
      ],
    });
    await gateway.answer(line);
    expect((await pending(imei)).explain).toEqual([
      { commandId: id, reason: 'waiting-for-answer' },
      { commandId: next, reason: 'waiting-for-answer' },
    ]);
    gateway.close();
  });

  test('names each condition that is not met', async () => {
    const imei = await world.device();
    const gateway = await world.gateway();
    await gateway.connect(imei);
    const position = positionOf(imei, 0, { speed: 3, attributes: { ignition: true } }, Date.now());
    await gateway.report({ type: 'position', position });
    const insidePolygon = [
      [0, 0],
      [0, 0.1],
      [0.1, 0.1],
      [0, 0],
    ]; // prettier-ignore
    const ignition = await order({ imei, conditions: { ignition: false } });
    const inside = await order({ imei, conditions: { insidePolygon } });
    expect((await pending(imei)).explain).toEqual([
      { commandId: ignition, reason: 'condition:ignition' },
      { commandId: inside, reason: 'condition:insidePolygon' },
    ]);
    gateway.close();
  });

  test('of all devices is paged and ordered by device', async () => {
    const otherTenant = await world.key([...SCOPES], 'pending-only');
    const devices = [await world.device({}, otherTenant), await world.device({}, otherTenant)];
    const ids: string[] = [];
    for (const imei of devices) for (let i = 0; i < 3; i++) ids.push(await order({ imei }, otherTenant));
    const first = (await world.api.get('/v1/gprsCommands/pending?limit=4', otherTenant)).body;
    expect(idsOf(first)).toEqual(ids.slice(0, 4));
    expect(first.explain.map(({ reason }: { reason: string }) => reason)).toEqual(Array(4).fill('device-offline'));
    const rest = (await world.api.get(`/v1/gprsCommands/pending?limit=4&cursor=${first.nextCursor}`, otherTenant)).body;
    expect(idsOf(rest)).toEqual(ids.slice(4));
    expect(rest.nextCursor).toBeNull();
    expect(idsOf((await world.api.get('/v1/gprsCommands/pending', otherTenant)).body)).toEqual(ids);
  });

  test('of all devices explains what is in flight where nothing else is open, on any page', async () => {
    const otherTenant = await world.key([...SCOPES], 'in-flight-only');
    const offline = await order({ imei: await world.device({}, otherTenant) }, otherTenant);
    const gateway = await world.gateway();
    const inFlight: string[] = [];
    for (let n = 0; n < 2; n++) {
      const imei = await world.device({}, otherTenant);
      await gateway.connect(imei);
      inFlight.push(await order({ imei }, otherTenant));
      await gateway.next();
    }
    const explained: unknown[] = [];
    const items: string[] = [];
    for (let cursor = ''; ; ) {
      const page = (await world.api.get(`/v1/gprsCommands/pending?limit=1${cursor}`, otherTenant)).body;
      explained.push(...page.explain);
      items.push(...idsOf(page));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(items).toEqual([offline]);
    expect(explained).toEqual([
      { commandId: offline, reason: 'device-offline' },
      ...inFlight.map((commandId) => ({ commandId, reason: 'waiting-for-answer' })),
    ]);
    gateway.close();
  });

  test('is available for known devices only', async () => {
    expect((await pending('nobody')).code).toBe('unknown-device');
    expect((await pending('a%20b')).code).toBe('bad-device-id');
    expect((await pending(`cmd_${'0'.repeat(32)}`)).code).toBe('unknown-command');
  });
});

test('a command of another tenant is not found by any operation', async () => {
  const imei = await world.device();
  const id = await order({ imei });
  const before = (await world.api.get(`/v1/gprsCommands/${id}`)).body;
  const otherTenant = await world.key([...SCOPES], 'other-tenant');
  const asked: [string, string][] = [
    ['GET', id],
    ['GET', `${id}?wait=1`],
    ['GET', `pending/${imei}`],
    ['GET', `?imei=${imei}`],
    ['DELETE', id],
    ['DELETE', `${id}?force=true`],
    ['DELETE', `${imei}/reset`],
    ['DELETE', `${id}/reset`],
    ['PUT', `${imei}/reset`],
    ['PUT', `${id}/reset`],
  ];
  for (const [method, path] of asked) {
    const answer = await world.api.send(method, `/v1/gprsCommands/${path}`, undefined, otherTenant);
    expect(answer.status, `${method} ${path}`).toBe(404);
  }
  expect((await world.enqueue({ imei, gprsCommand: 'x' }, otherTenant)).body.code).toBe('unknown-device');
  expect((await list('', otherTenant)).items).toEqual([]);
  expect((await world.api.get('/v1/gprsCommands/pending', otherTenant)).body.items).toEqual([]);
  expect((await world.api.get(`/v1/gprsCommands/${id}`)).body).toEqual(before);
});

test('pending commands of a device come in pages when a limit is given, in the order of delivery', async () => {
  const imei = await world.device();
  for (const priority of [5, 1, 9, 5, 1]) await world.enqueue({ imei, gprsCommand: `p${priority}`, priority });
  const all = await pending(imei);
  expect(all).toMatchObject({ nextCursor: null, items: { length: 5 } });
  const paged: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await world.api.get(`/v1/gprsCommands/pending/${imei}?limit=2${cursor}`);
    expect(body.oldestAgeMs).toBeGreaterThanOrEqual(0);
    expect(body.explain).toHaveLength(body.items.length);
    paged.push(...body.items.map(({ commandId }: { commandId: string }) => commandId));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  expect(paged).toEqual(all.items.map(({ commandId }: { commandId: string }) => commandId));
  const other = await world.device();
  const { nextCursor } = (await world.api.get(`/v1/gprsCommands/pending/${imei}?limit=2`)).body;
  const wrong = await world.api.get(`/v1/gprsCommands/pending/${other}?cursor=${encodeURIComponent(nextCursor)}`);
  expect(wrong.body.code).toBe('bad-cursor');
});
