import { AppError } from '../../platform/errors.ts';
import type { Role } from '../access/index.ts';
import type { App } from '../http/index.ts';
import { all, pathOf } from './operations.ts';
import { numberOf, pick, textOf, type Values } from './record-values.ts';
import { bodyOf, type Context, notImplemented } from './request.ts';
import { addResource, type Resource } from './resource.ts';
import { type RouteKit, traccarRoute } from './routes.ts';
import { type OwnUser, oneUser, presentUsers } from './user.ts';

const KEPT = ['phone', 'map', 'latitude', 'longitude', 'zoom', 'coordinateFormat', 'poiLayer', 'attributes'] as const;

/** Roles that Traccar's switches of a user stand for. */
function roleOf({ administrator, readonly: isReadonly, userLimit }: Values): Role {
  if (administrator === true) return 'admin';
  if (isReadonly === true) return 'viewer';
  return numberOf(userLimit) === 0 ? 'dispatcher' : 'manager';
}

function changesOf(body: Values) {
  const { name, disabled } = body;
  return {
    name: textOf(name) ?? null,
    active: disabled !== true,
    ...(textOf(body['password']) === undefined ? {} : { password: body['password'] }),
  };
}

/** The address where it is one: Traccar's users log in by it. */
const emailOf = ({ email }: Values): string | null => {
  const text = textOf(email);
  return text?.includes('@') === true ? text : null;
};

const users: Resource = {
  path: 'users',
  kind: 'user',
  list: async (context) => presentUsers(context, await all(context.operations.list<OwnUser>('/v1/users'))),
  one: oneUser,
  async create(context, body) {
    const username = (textOf(body['login']) ?? textOf(body['email']))?.toLowerCase();
    if (username === undefined) {
      throw new AppError('invalid', 'The body is not valid', [{ pointer: '/email', detail: 'required' }]);
    }
    const user = { username, email: emailOf(body), role: roleOf(body), ...changesOf(body) };
    const { id } = await context.operations.call<OwnUser>('POST', '/v1/users', user);
    await context.ids.setData(context.tenantId, 'user', new Map([[id, pick(body, KEPT)]]));
    return oneUser(context, id);
  },
  async change(context, key, body) {
    const { operations, ids, tenantId, caller } = context;
    const before = await oneUser(context, key);
    const role = roleOf(body);
    // what is as it was need not be allowed: clients send every member, also to change a map
    const isSwitched = role !== roleOf(before) || body['name'] !== before.name || body['password'] !== undefined;
    const isDisabled = (body['disabled'] === true) !== before.disabled;
    if (isSwitched || isDisabled) {
      const roles = role === roleOf(before) ? {} : { role };
      await operations.call('PATCH', pathOf`/v1/users/${key}`, { ...changesOf(body), ...roles });
    } else if (caller.principal.id !== key && !caller.principal.scopes.has('users:write')) {
      throw new AppError('missing-scope', 'The scope users:write is needed');
    }
    await ids.setData(tenantId, 'user', new Map([[key, pick(body, KEPT)]]));
    return oneUser(context, key);
  },
  remove: ({ operations }, key) => operations.call('DELETE', pathOf`/v1/users/${key}`),
};

interface Granted extends OwnUser {
  readonly allVehicles: boolean;
  readonly targhe: readonly string[];
}

export function addUsers(app: App, kit: RouteKit): void {
  addResource(app, kit, users);
  const options = traccarRoute();
  for (const method of ['POST', 'DELETE'] as const) {
    app.route({
      ...options,
      method,
      url: '/permissions',
      async handler(request, reply) {
        await link(kit.contextOf(request), bodyOf(request), method === 'POST');
        return reply.code(204).send();
      },
    });
    app.route({
      ...options,
      method,
      url: '/permissions/bulk',
      async handler(request, reply) {
        const { body } = request;
        if (!Array.isArray(body)) throw new AppError('invalid', 'The body is no list');
        for (const each of body) await link(kit.contextOf(request), each as Values, method === 'POST');
        return reply.code(204).send();
      },
    });
  }
}

/** A user is given the vehicle that a device is in, or loses it. Other links have no counterpart. */
async function link(context: Context, members: Values, isGiven: boolean): Promise<void> {
  const { ids, tenantId, operations, fleet } = context;
  const names = Object.keys(members);
  if (names.length !== 2 || !names.includes('userId') || !names.includes('deviceId')) {
    throw notImplemented(`There are no links of ${names.join(' and ')} here: users are given devices alone`);
  }
  const user = await ids.keyOf(tenantId, 'user', members['userId']);
  const { vehicle } = await fleet.one(await ids.keyOf(tenantId, 'device', members['deviceId']));
  if (vehicle === undefined) throw notImplemented('Users are given vehicles here, and the device is in none');
  const { allVehicles, targhe } = await operations.call<Granted>('GET', pathOf`/v1/users/${user}`);
  if (allVehicles && !isGiven) throw notImplemented('The user sees all vehicles: no single one can be taken away');
  if (allVehicles) return;
  const others = targhe.filter((targa) => targa !== vehicle.targa);
  await operations.call('PATCH', pathOf`/v1/users/${user}`, {
    targhe: isGiven ? [...others, vehicle.targa] : others,
  });
}
