import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import { storableJson } from '../../database/index.ts';
import { normaliseTarga } from '../../fleet/records/index.ts';
import { type Principal, type Role, scopesOf, seesAllByDefault } from '../../kernel/access/index.ts';
import { hashPassword, passwordFits, requireStrength } from '../../kernel/auth/index.ts';
import { type Cursors, toInstant, toInstantOrNull, toPage } from '../../kernel/http/index.ts';
import { unlessTaken } from '../../kernel/records/index.ts';
import type { NewUser, User, UserChange } from './schema.ts';
import * as store from './store.ts';

export interface Tagged {
  readonly version: number;
  readonly user: User;
}

export interface UserList {
  readonly q?: string | undefined;
  readonly role?: Role | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Users of a tenant. All throw AppError `unknown-user` if there is no such user. */
export interface Users {
  list(tenantId: number, query: UserList): Promise<{ items: User[]; nextCursor: string | null }>;
  /** by id, user name or `me` */
  find(by: Principal, name: string): Promise<Tagged>;
  /** Throws AppError `conflict`, `scope-not-granted` for a role with more scopes than the caller, `weak-password`. */
  create(by: Principal, user: NewUser): Promise<Tagged>;
  change(
    by: Principal,
    name: string,
    change: UserChange,
    version: number | undefined,
  ): Promise<{ before: User } & Tagged>;
  remove(by: Principal, name: string, version: number | undefined): Promise<User>;
  /** Verifies the caller's own password and returns the caller. Throws AppError `invalid-credentials`. */
  demandPassword(by: Principal, password: string): Promise<User>;
  /**
   * Throws AppError `scope-not-granted` if the user has more scopes than the caller, `conflict` if it is the caller:
   * `own` names the operation for oneself, which requires a secret.
   */
  demandOther(by: Principal, name: string, own: string): Promise<User>;
  /**
   * Changes the password and revokes all sessions of the user. Throws AppError `invalid-credentials`,
   * `weak-password`.
   */
  changePassword(by: Principal, current: string, next: string): Promise<void>;
}

/** Revokes sessions and cached tokens when a user changes. */
export interface UserSessions {
  end(tenantId: number, userId: string): Promise<unknown>;
  /** drops the cached tokens of the user */
  forget(userId: string): void;
}

export function createUsers(app: pg.Pool, cursors: Cursors, ownTenantId: number, sessions: UserSessions): Users {
  const find = async (by: Principal, name: string): Promise<store.UserRow> => {
    const wanted = name === 'me' && by.kind === 'user' ? by.id : name;
    const [row] = await store.readUsers(app, tenantIdOf(by), { name: wanted, limit: 1 });
    if (row === undefined) throw new AppError('unknown-user');
    return row;
  };
  const findByPassword = async (by: Principal, password: string): Promise<store.UserRow> => {
    const row = await find(by, by.kind === 'user' ? by.id : '');
    const fits = await passwordFits(password, await store.readPasswordHash(app, tenantIdOf(by), row.id));
    if (!fits) throw new AppError('invalid-credentials', 'The current password is another one');
    return row;
  };
  const demandScopes = (by: Principal, role: Role): void => {
    const missing = scopesOf({ role, allVehicles: true }, by.tenantId === ownTenantId).filter(
      (scope) => !by.scopes.has(scope),
    );
    if (missing.length > 0)
      throw new AppError('scope-not-granted', `The role has scopes that you do not have: ${missing.join(' ')}`);
  };
  const keepAnAdmin = async (tenantId: number, row: store.UserRow): Promise<void> => {
    if (row.role !== 'admin' || !row.active) return;
    if ((await store.countOtherAdmins(app, tenantId, row.id)) > 0) return;
    throw new AppError('conflict', 'The tenant needs an administrator');
  };
  const prepare = async ({ password, targhe, preferences, ...rest }: UserChange, names: Names) => ({
    ...rest,
    ...(preferences === undefined ? {} : { preferences: JSON.parse(storableJson(preferences)) }),
    ...(targhe === undefined ? {} : { targhe: targhe.map(normaliseTarga) }),
    ...(password === undefined ? {} : { passwordHash: await hashStrong(password, names) }),
  });
  const write = async (tenantId: number, id: string, version: number | undefined, fields: store.UserFields) => {
    const outcome = await unlessTaken({ singular: 'user' }, () =>
      store.writeUser(app, tenantId, { id, version }, fields),
    );
    if (outcome === 'changed-since') throw new AppError('precondition-failed');
    if (outcome === 'unknown-vehicle') throw new AppError('unknown-vehicle', 'Not all of the vehicles are there');
  };
  return {
    async list(tenantId, { q, role, limit, cursor }) {
      const filter = ['users', tenantId, q ?? null, role ?? null];
      const after = cursor === undefined ? '' : String(cursors.read(cursor, filter)[0]);
      const rows = await store.readUsers(app, tenantId, { q, role, after, limit: limit + 1 });
      return toPage(rows, limit, present, ({ id }) => cursors.write([id], filter));
    },
    find: async (by, name) => tagged(await find(by, name)),
    async create(by, user) {
      demandScopes(by, user.role);
      const id = `usr_${randomBytes(9).toString('hex')}`;
      const allVehicles = user.allVehicles ?? (user.targhe === undefined && seesAllByDefault(user.role));
      await write(tenantIdOf(by), id, undefined, await prepare({ ...user, allVehicles }, user));
      return tagged(await find(by, id));
    },
    async change(by, name, change, version) {
      const before = await find(by, name);
      if (version !== undefined && before.version !== version) throw new AppError('precondition-failed');
      // the caller needs the scopes of the old role and of the new one
      demandScopes(by, before.role);
      demandOther(by, before, change.password === undefined ? undefined : 'PUT /v1/users/me/password');
      if (change.role !== undefined) demandScopes(by, change.role);
      if ((change.role ?? 'admin') !== 'admin' || change.active === false) await keepAnAdmin(tenantIdOf(by), before);
      await write(tenantIdOf(by), before.id, before.version, await prepare(change, { ...before, ...change }));
      if (change.password !== undefined || change.active === false) await sessions.end(tenantIdOf(by), before.id);
      sessions.forget(before.id);
      return { before: present(before), ...tagged(await find(by, before.id)) };
    },
    async remove(by, name, version) {
      const row = await find(by, name);
      if (version !== undefined && row.version !== version) throw new AppError('precondition-failed');
      demandScopes(by, row.role);
      await keepAnAdmin(tenantIdOf(by), row);
      if (!(await store.deleteUser(app, tenantIdOf(by), row.id, row.version)))
        throw new AppError('precondition-failed');
      sessions.forget(row.id);
      return present(row);
    },
    demandPassword: async (by, password) => present(await findByPassword(by, password)),
    async demandOther(by, name, own) {
      const row = await find(by, name);
      demandOther(by, row, own);
      demandScopes(by, row.role);
      return present(row);
    },
    async changePassword(by, current, next) {
      const tenantId = tenantIdOf(by);
      const row = await findByPassword(by, current);
      await write(tenantId, row.id, row.version, { passwordHash: await hashStrong(next, row) });
      await sessions.end(tenantId, row.id);
    },
  };
}

/** Prevents a stolen session from bypassing the secret that the operation for oneself requires. */
function demandOther(by: Principal, { id }: store.UserRow, own: string | undefined): void {
  if (own !== undefined && by.kind === 'user' && by.id === id)
    throw new AppError('conflict', `For the own account use ${own}`);
}

type Names = Pick<UserChange, 'username' | 'name' | 'email'>;

function hashStrong(password: string, { username, name, email }: Names): Promise<string> {
  requireStrength(password, [username, name, email?.split('@')[0]]);
  return hashPassword(password);
}

function tenantIdOf({ tenantId }: Principal): number {
  if (tenantId === undefined) throw new AppError('missing-scope', 'A credential of a tenant is needed');
  return tenantId;
}

const tagged = (row: store.UserRow): Tagged => ({ version: row.version, user: present(row) });

function present(row: store.UserRow): User {
  const { id, username, name, email, role, active, allVehicles, vehicles, locale, timezone } = row;
  return {
    id,
    username,
    name,
    email,
    role,
    active,
    allVehicles,
    vehicles,
    locale,
    timezone,
    targhe: [...row.targhe],
    preferences: { ...row.preferences },
    lastLoginAt: toInstantOrNull(row.lastLoginAt),
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
  };
}
