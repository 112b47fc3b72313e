import type { Role } from '../access/index.ts';
import { pathOf } from './operations.ts';
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
export function toTraccarUser(user: OwnUser, id: number) {
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
export type TraccarUser = ReturnType<typeof toTraccarUser>;

/** Of a user; a key has no user, and is shown by its id. */
export async function currentUser({ caller, operations, ids, tenantId }: Context): Promise<TraccarUser> {
  const { principal } = caller;
  const id = await ids.numberOf(tenantId, 'user', principal.id);
  if (principal.kind === 'user') {
    return toTraccarUser(await operations.call<OwnUser>('GET', pathOf`/v1/users/${principal.id}`), id);
  }
  const role = principal.scopes.has('users:write')
    ? 'admin'
    : principal.scopes.has('devices:write')
      ? 'manager'
      : 'viewer';
  return toTraccarUser({ id: principal.id, username: principal.id, name: null, email: null, role, active: true }, id);
}
