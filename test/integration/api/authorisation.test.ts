import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES } from '../../../src/server/index.ts';
import type { Answer } from '../../support/api.ts';
import { positionEvent } from '../../support/positions.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { type CommandWorld, openCommands } from './commands/support.ts';

/**
 * Random principals call random operations, while administrators change who may see what. A model that knows only who may
 * see which vehicle says what each answer and each effect must be. FUZZ_SEED repeats a run, FUZZ_STEPS lengthens it.
 */
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Date.now() / 86_400_000));
const STEPS = Number(process.env['FUZZ_STEPS'] ?? 600);
const PASSWORD = 'correct horse battery';

type Headers = { readonly authorization: string };

interface Vehicle {
  readonly tenant: string;
  readonly targa: string;
  readonly imei: string;
  /** is in what only those read who see the vehicle */
  readonly secret: string;
}

interface User {
  readonly tenant: string;
  readonly username: string;
  active: boolean;
  /** undefined: all of the tenant */
  vehicles: Set<string> | undefined;
}

interface Principal {
  readonly name: string;
  readonly headers: Headers;
  readonly scopes: ReadonlySet<string>;
  readonly tenant: string | undefined;
  readonly user: User | undefined;
}

// The model.
const tenants = new Map([
  ['north', { active: true }],
  ['south', { active: true }],
]);
const vehicles: Vehicle[] = [];
const users: User[] = [];
const principals: Principal[] = [];
/** commands that were accepted, by device */
const accepted = new Map<string, number>();

const isAlive = ({ tenant, user }: Principal): boolean =>
  tenant !== undefined && tenants.get(tenant)!.active && user?.active !== false;
const sees = (principal: Principal, vehicle: Vehicle): boolean =>
  isAlive(principal) &&
  principal.tenant === vehicle.tenant &&
  (principal.user?.vehicles === undefined || principal.user.vehicles.has(vehicle.targa));

let world: CommandWorld;
const admins = new Map<string, Headers>();

const made = async (path: string, body: object, by?: Headers, method = 'POST'): Promise<Answer['body']> => {
  const answer = await world.api.send(method, path, body, by);
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

async function addPrincipal(name: string, given: { path: string; body: object; tenant: string; user?: User }) {
  const { accessToken, scope } = await made(given.path, given.body, { authorization: '' });
  principals.push({
    name,
    headers: { authorization: `Bearer ${accessToken}` },
    scopes: new Set(scope.split(' ')),
    tenant: given.tenant,
    user: given.user,
  });
}

beforeAll(async () => {
  world = await openCommands({ autoRegister: false });
  for (const tenant of tenants.keys()) {
    await made('/v1/tenants', { name: tenant });
    const by = await world.key(SCOPES, tenant);
    admins.set(tenant, by);
    principals.push({
      name: `key of ${tenant}`,
      headers: by,
      scopes: new Set<string>(SCOPES),
      tenant,
      user: undefined,
    });
    for (const n of [1, 2, 3]) {
      const vehicle = {
        tenant,
        targa: `${tenant.toUpperCase()}${n}`,
        imei: `${tenant === 'north' ? 1 : 2}0000000000000${n}`,
        secret: `secret-${tenant}-${n}`,
      };
      vehicles.push(vehicle);
      await made('/v1/devices', { imei: vehicle.imei, name: vehicle.secret, options: { protocol: 'teltonika' } }, by);
      await made('/v1/vehicles', { targa: vehicle.targa, model: vehicle.secret }, by);
      await made('/v1/pairings', { targa: vehicle.targa, imei: vehicle.imei, from: '2026-05-01T06:00:00Z' }, by);
      const records = [1, 2].map((seq) => ({
        ...positionEvent(vehicle.imei, seq, { attributes: { driverCard: vehicle.secret } }),
        seq,
      }));
      await world.api.events(records, `spool-${vehicle.imei}`);
    }
    // a tenant needs an administrator whom nobody disables
    await made('/v1/users', { username: 'owner', role: 'admin', password: PASSWORD }, by);
    for (const role of ['admin', 'manager', 'dispatcher', 'viewer']) {
      const first = `${tenant.toUpperCase()}1`;
      const user: User = { tenant, username: `${role}-${tenant}`, active: true, vehicles: new Set([first]) };
      users.push(user);
      const { username } = user;
      await made('/v1/users', { username, role, password: PASSWORD, allVehicles: false, targhe: [first] }, by);
      await addPrincipal(username, {
        path: '/v1/auth/credentials',
        body: { username, password: PASSWORD, tenant },
        tenant,
        user,
      });
    }
    const { key: apiKey } = await made(
      '/v1/keys',
      { name: 'agent', scopes: ['users:write', 'commands:write', 'commands:read'] },
      by,
    );
    const user = users.find(({ username }) => username === `dispatcher-${tenant}`)!;
    await addPrincipal(`key on behalf of ${user.username}`, {
      path: '/v1/auth/user_api',
      body: { apiKey, onBehalfOf: user.username },
      tenant,
      user,
    });
  }
  const gateway = await world.api.gateway('authorisation');
  principals.push({ name: 'gateway', headers: gateway, scopes: new Set(), tenant: undefined, user: undefined });
  principals.push({
    name: 'nobody',
    headers: { authorization: '' },
    scopes: new Set(),
    tenant: undefined,
    user: undefined,
  });
});
afterAll(() => world?.stop());

interface Operation {
  readonly scope: string;
  call(by: Principal, vehicle: Vehicle): Promise<Answer>;
  /** a command that the device would receive */
  readonly commands?: true;
}

const call = (method: string, path: string, body?: object) => (by: Principal) =>
  world.api.send(method, path, body, by.headers);
const operations: readonly Operation[] = [
  { scope: 'vehicles:read', call: (by, { targa }) => call('GET', `/v1/vehicles/${targa}`)(by) },
  { scope: 'positions:read', call: (by, { imei }) => call('GET', `/v1/vehicles/${imei}/position`)(by) },
  { scope: 'positions:read', call: (by, { imei }) => call('GET', `/v1/devices/${imei}/positions`)(by) },
  { scope: 'devices:read', call: (by, { imei }) => call('GET', `/v1/devices/${imei}`)(by) },
  { scope: 'commands:read', call: (by, { imei }) => call('GET', `/v1/gprsCommands/pending/${imei}`)(by) },
  { scope: 'commands:read', call: (by, { imei }) => call('GET', `/v1/gprsCommands/types?imei=${imei}`)(by) },
  ...[{ gprsCommand: 'getver' }, { type: 'positionSingle' }].map(
    (body): Operation => ({
      scope: 'commands:write',
      commands: true,
      call: (by, { imei }) => call('POST', '/v1/gprsCommands/', { imei, ...body })(by),
    }),
  ),
  {
    scope: 'commands:write',
    commands: true,
    async call(by, { imei }) {
      const answer = await call('POST', '/v1/gprsCommands/batch', { imeis: [imei], gprsCommand: 'getver' })(by);
      const problem = answer.body.commands?.[0]?.problem;
      return problem === undefined ? answer : { ...answer, status: problem.status, body: problem };
    },
  },
];

const REFUSALS = new Set([401, 403, 404]);

async function callOne(random: Random): Promise<string | undefined> {
  const [by, vehicle, operation] = [random.pick(principals), random.pick(vehicles), random.pick(operations)];
  const may = sees(by, vehicle) && by.scopes.has(operation.scope);
  const answer = await operation.call(by, vehicle);
  const what = `${by.name}, ${operation.scope} of ${vehicle.targa}: ${answer.status} ${JSON.stringify(answer.body)}`;
  if (may === REFUSALS.has(answer.status) || answer.status >= 500) return `${may ? 'may' : 'may not'}: ${what}`;
  if (operation.commands && answer.status < 300) accepted.set(vehicle.imei, (accepted.get(vehicle.imei) ?? 0) + 1);
  return leakOf(by, answer, what);
}

/** A list has what the caller sees, and nothing else. */
async function listOne(random: Random): Promise<string | undefined> {
  const by = random.pick(principals);
  const [scope, path] = random.pick([
    ['vehicles:read', '/v1/vehicles'],
    ['devices:read', '/v1/devices'],
    ['positions:read', '/v1/vehicles/positions'],
  ] as const);
  const answer = await call('GET', path)(by);
  const what = `${by.name}, ${path}: ${answer.status} ${JSON.stringify(answer.body)}`;
  if (!isAlive(by) || !by.scopes.has(scope)) return answer.status < 300 ? what : undefined;
  if (answer.status !== 200) return answer.status === 404 ? undefined : what;
  const missing = vehicles.filter((each) => sees(by, each) && !what.includes(each.imei) && !what.includes(each.targa));
  return missing.length > 0 ? `${what} lacks ${missing.map(({ targa }) => targa)}` : leakOf(by, answer, what);
}

const leakOf = (by: Principal, { body }: Answer, what: string): string | undefined =>
  vehicles.some((each) => !sees(by, each) && JSON.stringify(body).includes(each.secret)) ? `shown: ${what}` : undefined;

async function changeRights(random: Random): Promise<undefined> {
  const user = random.pick(users);
  const kind = random.int(12);
  if (kind === 0) {
    const [name, tenant] = random.pick([...tenants]);
    tenant.active = !tenant.active;
    await made(`/v1/tenants/${name}`, { active: tenant.active }, undefined, 'PATCH');
    return;
  }
  // nobody changes users of a tenant that is switched off
  if (!tenants.get(user.tenant)!.active) return;
  const by = admins.get(user.tenant)!;
  const path = `/v1/users/${user.username}`;
  if (kind < 3) {
    // the sessions of a user end when the user is disabled
    if (!user.active) return;
    user.active = false;
    await made(path, { active: false }, by, 'PATCH');
    user.active = true;
    await made(path, { active: true }, by, 'PATCH');
    const { accessToken } = await made(
      '/v1/auth/credentials',
      { username: user.username, password: PASSWORD, tenant: user.tenant },
      { authorization: '' },
    );
    const mine = principals.findIndex(({ name }) => name === user.username);
    principals[mine] = { ...principals[mine]!, headers: { authorization: `Bearer ${accessToken}` } };
    return;
  }
  const own = vehicles.filter(({ tenant }) => tenant === user.tenant);
  const all = kind === 3;
  user.vehicles = all ? undefined : new Set(own.filter(() => random.int(2) === 0).map(({ targa }) => targa));
  await made(path, { allVehicles: all, ...(all ? {} : { targhe: [...user.vehicles!] }) }, by, 'PATCH');
}

test(`nobody reaches a vehicle past the model (FUZZ_SEED=${SEED})`, async () => {
  const random = createRandom(SEED);
  const began = performance.now();
  for (let step = 0; step < STEPS; step++) {
    const kind = random.int(10);
    const doOne = kind === 0 ? changeRights : kind < 3 ? listOne : callOne;
    const problem = await doOne(random);
    expect(problem, `step ${step} after ${Math.round(performance.now() - began)} ms`).toBeUndefined();
  }
  const { rows } = await world.api.database.ingest.query<{ imei: string; n: number }>(
    'select d.imei, count(*)::int as n from command c join device d on d.id = c.device_id group by 1',
  );
  expect(new Map(rows.map(({ imei, n }) => [imei, n]))).toEqual(accepted);
});
