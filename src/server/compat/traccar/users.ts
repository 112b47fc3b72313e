import { AppError } from '../../../platform/errors.ts';
import type { Role } from '../../kernel/access/index.ts';
import type { App } from '../../kernel/http/index.ts';
import { type Granted, grantedOf, isGiven } from './granted.ts';
import { all, pathOf } from './operations.ts';
import { numberOf, pick, textOf, type Values } from './record-values.ts';
import { addResource, type Resource } from './resource.ts';
import type { RouteKit } from './routes.ts';
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
  searched: ['name', 'email'],
  /** `userId`: managed users, which do not exist here; `deviceId`: users to whom a device is assigned. */
  async list(context, { userId, deviceId }) {
    const { operations, ids, tenantId, fleet } = context;
    if (userId > 0) {
      await grantedOf(context, await ids.keyOf(tenantId, 'user', userId));
      return [];
    }
    const found = await all(operations.list<Granted>('/v1/users'));
    if (deviceId === 0) return presentUsers(context, found);
    const device = await fleet.one(await ids.keyOf(tenantId, 'device', deviceId));
    return presentUsers(
      context,
      found.filter((user) => isGiven(user, device)),
    );
  },
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
    // unchanged members need no permission: clients always send every member
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

export const addUsers = (app: App, kit: RouteKit): void => addResource(app, kit, users);
