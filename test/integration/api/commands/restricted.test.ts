import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CommandWorld, openCommands } from './support.ts';

const PASSWORD = 'correct horse battery';
const OWN = { targa: 'OWN001', imei: '100000000000001' };
const FOREIGN = { targa: 'FRN002', imei: '200000000000002' };
const GROUP = 'Trucks';

type Headers = { authorization: string };

let world: CommandWorld;
const callers = new Map<string, Headers>();

const create = async (path: string, body: object) => {
  const answer = await world.api.send('POST', path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const tokenOf = async (path: string, body: object): Promise<Headers> => {
  const { accessToken } = (await world.api.send('POST', path, body, { authorization: '' })).body;
  return { authorization: `Bearer ${accessToken}` };
};
const login = (username: string) => tokenOf('/v1/auth/credentials', { username, password: PASSWORD });

beforeAll(async () => {
  world = await openCommands({ autoRegister: true });
  await create('/v1/groups', { name: GROUP });
  for (const { targa, imei } of [OWN, FOREIGN]) {
    await create('/v1/devices', { imei, options: { protocol: 'teltonika' } });
    await create('/v1/vehicles', { targa, group: GROUP });
    await create('/v1/pairings', { targa, imei, from: '2026-05-01T06:00:00Z' });
  }
  for (const role of ['dispatcher', 'manager', 'admin']) {
    await create('/v1/users', { username: role, role, password: PASSWORD, targhe: [OWN.targa] });
    callers.set(role, await login(role));
  }
  const scopes = ['users:write', 'commands:write', 'commands:read'];
  const { key: apiKey } = await create('/v1/keys', { name: 'agent', scopes });
  callers.set('key', await tokenOf('/v1/auth/user_api', { apiKey, onBehalfOf: 'dispatcher' }));
});
afterAll(() => world?.stop());

const commandsOf = (imei: string) =>
  world.sql(
    `select to_jsonb(c) as row from command c join device d on d.id = c.device_id where d.imei = $1 order by 1`,
    [imei],
  );

describe.each(['dispatcher', 'manager', 'admin', 'key'])('restricted to another vehicle, as %s,', (name) => {
  let as: Headers;
  /** of the foreign device; the server knows the device since */
  let id: string;
  let before: unknown;
  beforeEach(async () => {
    as = callers.get(name)!;
    id = (await create('/v1/gprsCommands/', { imei: FOREIGN.imei, gprsCommand: 'getinfo' })).commandId;
    before = await commandsOf(FOREIGN.imei);
  });

  test('no command is queued for a device that another user has sent a command to', async () => {
    for (const command of [
      { gprsCommand: 'getver' },
      { type: 'positionSingle' },
      { gprsCommand: '00ff', encoding: 'hex' },
      { gprsCommand: 'getver', conditions: { maxSpeed: 5 } },
      { gprsCommand: 'getver', dedupeKey: 'once' },
    ]) {
      for (const query of ['', '?wait=1']) {
        const { body } = await world.enqueue({ imei: FOREIGN.imei, ...command }, as, query);
        expect(body, JSON.stringify(command)).toMatchObject({ status: 404, code: 'unknown-device' });
      }
    }
    expect(await commandsOf(FOREIGN.imei)).toEqual(before);
  });

  test('a command for several devices is queued for the own one only', async () => {
    const batch = (body: object) =>
      world.api.send('POST', '/v1/gprsCommands/batch', { gprsCommand: 'getver', ...body }, as);
    const own = { imei: OWN.imei, commandId: expect.stringMatching(/^cmd_/) };
    const { commands } = (await batch({ imeis: [FOREIGN.imei, OWN.imei] })).body;
    expect(commands).toMatchObject([{ imei: FOREIGN.imei, problem: { code: 'unknown-device' } }, own]);
    expect((await batch({ group: GROUP })).body.commands).toEqual([own]);
    const check = { imeis: [FOREIGN.imei, OWN.imei], gprsCommand: 'getver' };
    const checked = (await world.api.send('POST', '/v1/gprsCommands/check', check, as)).body;
    expect(checked).toMatchObject({ accepted: 1, refused: [{ imei: FOREIGN.imei, code: 'unknown-device' }] });
    expect(await commandsOf(FOREIGN.imei)).toEqual(before);
  });

  test('a command that another user has sent is neither shown nor changed', async () => {
    // what is read in batches is read by both at a time
    const asBoth = (path: string) => Promise.all([world.api.get(path), world.api.get(path, as)]);
    for (const path of [id, `${id}?wait=1`, `pending/${FOREIGN.imei}`, `?imei=${FOREIGN.imei}`]) {
      const [all, restricted] = await asBoth(`/v1/gprsCommands/${path}`);
      expect([path, all.status, restricted.status]).toEqual([path, 200, 404]);
    }
    const types = `/v1/gprsCommands/types?imei=${FOREIGN.imei}`;
    expect((await asBoth(types)).map(({ status }) => status)).toEqual([200, 404]);
    for (const path of ['', 'pending']) {
      const [all, restricted] = await asBoth(`/v1/gprsCommands/${path}`);
      expect(JSON.stringify(all.body)).toContain(id);
      expect(JSON.stringify(restricted.body)).not.toContain(id);
      expect(JSON.stringify(restricted.body)).not.toContain(FOREIGN.imei);
    }
    for (const [method, path] of [
      ['DELETE', id],
      ['DELETE', `${id}?force=true`],
      ['DELETE', `${id}/reset`],
      ['DELETE', `${FOREIGN.imei}/reset`],
      ['PUT', `${id}/reset`],
      ['PUT', `${FOREIGN.imei}/reset`],
    ] as const) {
      expect((await world.api.send(method, `/v1/gprsCommands/${path}`, undefined, as)).status, path).toBe(404);
    }
    expect(await commandsOf(FOREIGN.imei)).toEqual(before);
  });

  test('the answer to another user’s request is not repeated', async () => {
    const key = { 'idempotency-key': `of-${name}` };
    const body = { imei: FOREIGN.imei, gprsCommand: 'getinfo' };
    expect((await world.enqueue(body, key)).status).toBe(200);
    expect((await world.enqueue(body, { ...as, ...key })).body.code).toBe('idempotency-key-reused');
  });

  test('a command does not register a device', async () => {
    const imei = `unseen-${name}`;
    expect((await world.enqueue({ imei, gprsCommand: 'x' }, as)).body.code).toBe('unknown-device');
    expect((await world.api.get(`/v1/devices/${imei}`)).status).toBe(404);
  });

  test('commands of the own vehicle are queued, shown and cancelled', async () => {
    await create('/v1/gprsCommands/', { imei: OWN.imei, gprsCommand: 'getinfo' });
    const made = await world.enqueue({ imei: OWN.imei, gprsCommand: 'getver' }, as);
    expect(made.status).toBe(200);
    const path = `/v1/gprsCommands/${made.body.commandId}`;
    expect((await world.api.get(path, as)).body).toMatchObject({ imei: OWN.imei, status: 'pending' });
    expect((await world.api.send('DELETE', path, undefined, as)).status).toBe(200);
  });
});

test('a device that has left the vehicle takes no command of a user who has sent one before', async () => {
  const [targa, imei] = ['OWN003', '300000000000003'];
  await create('/v1/devices', { imei });
  await create('/v1/vehicles', { targa });
  const { id } = await create('/v1/pairings', { targa, imei, from: '2026-05-01T06:00:00Z' });
  await create('/v1/users', { username: 'mover', role: 'dispatcher', password: PASSWORD, targhe: [targa] });
  const mover = await login('mover');
  expect((await world.enqueue({ imei, gprsCommand: 'getinfo' }, mover)).status).toBe(200);
  const ended = await world.api.send('PATCH', `/v1/pairings/${id}`, { to: '2026-05-02T06:00:00Z' });
  expect(ended.status, JSON.stringify(ended.body)).toBe(200);
  expect((await world.enqueue({ imei, gprsCommand: 'getinfo' }, mover)).body.code).toBe('unknown-device');
});
