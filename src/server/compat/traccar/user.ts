import { AppError } from '../../../platform/errors.ts';
import type { Role } from '../../kernel/access/index.ts';
import { pathOf } from './operations.ts';
import { attributesOf } from './record-values.ts';
import type { Context } from './request.ts';

export interface OwnUser {
  readonly id: string;
  readonly username: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly role: Role;
  readonly active: boolean;
}

/** As Traccar's interface describes it. */
function toTraccarUser(user: OwnUser, id: number) {
  const { username, name, email, role, active } = user;
  const manages = role === 'admin' || role === 'manager';
  return {
    id,
    name: name ?? username,
    email: email ?? username,
    login: username,
    phone: null,
    readonly: role === 'viewer' || role === 'driver',
    administrator: role === 'admin',
    map: null,
    latitude: 0,
    longitude: 0,
    zoom: 0,
    coordinateFormat: null,
    disabled: !active,
    expirationTime: null,
    deviceLimit: manages ? -1 : 0,
    userLimit: manages ? -1 : 0,
    deviceReadonly: !manages,
    limitCommands: false,
    disableReports: false,
    fixedEmail: true,
    poiLayer: null,
    attributes: {},
  };
}
/** Users with what their clients have written. */
export async function presentUsers({ ids, tenantId }: Context, users: readonly OwnUser[]) {
  const keys = users.map(({ id }) => id);
  const [numbers, data] = await Promise.all([
    ids.numbersOf(tenantId, 'user', keys),
    ids.dataOf(tenantId, 'user', keys),
  ]);
  return users.map((user) => {
    const kept = data.get(user.id) ?? {};
    return { ...toTraccarUser(user, numbers.get(user.id)!), ...kept, attributes: attributesOf(kept) };
  });
}

/** A user may read the own record without the right to read those of others. */
export async function oneUser(context: Context, key: string) {
  const { caller, operations } = context;
  const read = async (): Promise<OwnUser> => {
    if (caller.principal.id !== key) return operations.call('GET', pathOf`/v1/users/${key}`);
    const { user } = await operations.call<{ user: Omit<OwnUser, 'active'> }>('GET', '/v1/app/me');
    return { ...user, active: true };
  };
  return (await presentUsers(context, [await read()]))[0]!;
}
export type TraccarUser = Awaited<ReturnType<typeof oneUser>>;

/** Throws AppError `missing-scope`. */
export async function demandAdministrator(context: Context, why: string): Promise<void> {
  if (!(await currentUser(context)).administrator) throw new AppError('missing-scope', why);
}

/** Of a user; a key has no user, and is shown by its id. */
export async function currentUser(context: Context): Promise<TraccarUser> {
  const { principal } = context.caller;
  if (principal.kind === 'user') return oneUser(context, principal.id);
  const role = principal.scopes.has('users:write')
    ? 'admin'
    : principal.scopes.has('devices:write')
      ? 'manager'
      : 'viewer';
  const key = { id: principal.id, username: principal.id, name: null, email: null, role, active: true } as const;
  return (await presentUsers(context, [key]))[0]!;
}
