import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import { asAppError, transaction } from '../../database/index.ts';
import { type Principal, SCOPES } from '../../kernel/access/index.ts';
import { type Cursors, toInstant, toPage } from '../../kernel/http/index.ts';
import type { Users } from '../users/index.ts';
import type { NewTenant, Tenant, TenantChange } from './schema.ts';
import * as store from './store.ts';

export interface TaggedTenant {
  readonly version: number;
  readonly tenant: Tenant;
}

/**
 * The tenants of the installation, for its operator: callers of other tenants get AppError `missing-scope`,
 * regardless of their scopes. All but `list` and `create` throw `unknown-tenant`.
 */
export interface Tenants {
  list(by: Principal, query: { limit: number; cursor?: string | undefined }): Promise<TenantPage>;
  find(by: Principal, name: string): Promise<TaggedTenant>;
  /** Throws AppError `conflict` if the name is taken, `weak-password`. */
  create(by: Principal, tenant: NewTenant): Promise<TaggedTenant>;
  /** Throws AppError `precondition-failed`; `conflict` for the operator’s own, which cannot be switched off. */
  change(
    by: Principal,
    name: string,
    change: TenantChange,
    version: number | undefined,
  ): Promise<TaggedTenant & { before: Tenant }>;
  /** Throws AppError `conflict` if it is active. */
  remove(by: Principal, name: string, version: number | undefined): Promise<Tenant>;
}

export interface TenantPage {
  readonly items: Tenant[];
  readonly nextCursor: string | null;
}

export interface TenantsDeps {
  /** pool of the role that sees all tenants */
  readonly pool: pg.Pool;
  readonly cursors: Cursors;
  readonly users: Pick<Users, 'create'>;
  readonly ownTenantId: number;
  /** tenant of automatically registered devices */
  readonly defaultTenantId: number;
  readonly forget: (id: string) => void;
}

export function createTenants(deps: TenantsDeps): Tenants {
  const { pool, cursors, users, ownTenantId, defaultTenantId, forget } = deps;
  const demandOperator = (by: Principal): void => {
    if (by.tenantId !== ownTenantId) throw new AppError('missing-scope', 'Tenants are the operator’s affair');
  };
  const findAt = async (by: Principal, name: string, version?: number): Promise<store.TenantRow> => {
    demandOperator(by);
    const row = await store.findTenant(pool, name).catch(away);
    if (row === undefined) throw new AppError('unknown-tenant');
    if (version !== undefined && row.version !== version) throw new AppError('precondition-failed');
    return row;
  };
  const isNeeded = ({ tenantId }: store.TenantRow): boolean => tenantId === ownTenantId || tenantId === defaultTenantId;
  const remove = (tenantId: number): Promise<void> => transaction(pool, (tx) => store.removeTenant(tx, tenantId));
  return {
    async list(by, { limit, cursor }) {
      demandOperator(by);
      const after = cursor === undefined ? '' : String(cursors.read(cursor, 'tenants')[0]);
      const rows = await store.listTenants(pool, after, limit + 1).catch(away);
      return toPage(rows, limit, present, ({ name }) => cursors.write([name], 'tenants'));
    },
    find: async (by, name) => tagged(await findAt(by, name)),
    async create(by, { name, admin, ...fields }) {
      demandOperator(by);
      const tenantId = await store.insertTenant(pool, name, fields).catch(away);
      if (tenantId === undefined) throw new AppError('conflict', 'A tenant with this name exists');
      if (admin !== undefined) {
        const asTheirs: Principal = { kind: by.kind, id: by.id, tenantId, scopes: new Set(SCOPES) };
        await users.create(asTheirs, { ...admin, role: 'admin' }).catch(async (error) => {
          await remove(tenantId);
          throw error;
        });
      }
      return tagged(await findAt(by, name));
    },
    async change(by, name, change, version) {
      const before = await findAt(by, name, version);
      if (change.active === false && isNeeded(before)) throw new AppError('conflict', 'The installation needs it');
      if (!(await store.updateTenant(pool, before, change).catch(away))) throw new AppError('precondition-failed');
      if (change.active !== undefined) forget(nameOf(before.tenantId));
      return { before: present(before), ...tagged(await findAt(by, name)) };
    },
    async remove(by, name, version) {
      const row = await findAt(by, name, version);
      if (isNeeded(row)) throw new AppError('conflict', 'The installation needs it');
      if (row.active) throw new AppError('conflict', 'A tenant is switched off before it is removed');
      await remove(row.tenantId);
      forget(nameOf(row.tenantId));
      return present(row);
    },
  };
}

/** the message that invalidates a tenant’s cached credentials */
const nameOf = (tenantId: number): string => `tenant:${tenantId}`;

const away = (error: unknown): never => {
  throw asAppError(error);
};

const tagged = (row: store.TenantRow): TaggedTenant => ({ version: row.version, tenant: present(row) });

function present(row: store.TenantRow): Tenant {
  const { name, title, timezone, active, users, vehicles, devices } = row;
  return {
    name,
    title,
    timezone,
    partners: [...row.partners],
    deviceOptions: { ...row.deviceOptions },
    active,
    users,
    vehicles,
    devices,
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
  };
}
