import type pg from 'pg';
import { queryAsTenant, runAsTenant } from '../../database/index.ts';
import type { Column, Kind, RecordRow } from './kind.ts';

type Fields = Readonly<Record<string, unknown>>;

// table and column names come from code, values are parameters: no SQL injection
const fieldsOf = (kind: Kind): [string, Column][] => Object.entries(kind.columns);
const selected = (kind: Kind): string =>
  [
    't.id, t.version, t.created_at as "createdAt", t.updated_at as "updatedAt"',
    ...fieldsOf(kind).map(
      ([field, { name, type }]) => `t.${name}${type === 'numeric' ? '::float8' : ''} as "${field}"`,
    ),
  ].join(', ');
const place = ({ type }: Column, n: number): string =>
  type === 'timestamptz' ? `to_timestamp($${n}::float8 / 1000)` : `$${n}::${type}`;
const parameterOf = ({ type }: Column, value: unknown): unknown =>
  type === 'jsonb' && value !== null ? JSON.stringify(value) : value;

export async function find(
  app: pg.Pool,
  tenantId: number,
  kind: Kind,
  name: { readonly id: string; readonly key: string },
): Promise<RecordRow | undefined> {
  const key = kind.key === undefined ? 'id' : kind.columns[kind.key.field]!.name;
  const rows = await queryAsTenant<RecordRow>(app, tenantId, {
    name: `find-${kind.table}`,
    text: `select ${selected(kind)} from ${kind.table} t where t.tenant_id = $1 and (t.id = $2 or t.${key} = $3)
           order by t.id = $2 desc limit 1`,
    values: [tenantId, name.id, kind.key === undefined ? name.id : name.key],
  });
  return rows[0];
}

export interface ListQuery {
  readonly after: string;
  readonly limit: number;
  readonly q: string | undefined;
  /** field → value that it must have */
  readonly equal: Fields;
}

/** In the order of their ids. */
export function list(app: pg.Pool, tenantId: number, kind: Kind, query: ListQuery): Promise<RecordRow[]> {
  const values: unknown[] = [tenantId, query.after, query.limit];
  const conditions = Object.entries(query.equal)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => {
      values.push(value);
      return `and t.${kind.columns[field]!.name} = $${values.length}`;
    });
  if (query.q !== undefined) {
    values.push(`%${query.q.replace(/[\\%_]/g, '\\$&')}%`);
    const columns = kind.searched.map((field) => `t.${kind.columns[field]!.name} ilike $${values.length}`);
    conditions.push(`and (${columns.join(' or ')})`);
  }
  return queryAsTenant<RecordRow>(app, tenantId, {
    text: `select ${selected(kind)} from ${kind.table} t where t.tenant_id = $1 and t.id > $2 ${conditions.join(' ')}
           order by t.id limit $3`,
    values,
  });
}

export async function insert(app: pg.Pool, tenantId: number, kind: Kind, id: string, fields: Fields): Promise<void> {
  const given = fieldsOf(kind).filter(([field]) => fields[field] !== undefined);
  await runAsTenant(app, tenantId, {
    text: `insert into ${kind.table} (id, tenant_id${given.map(([, { name }]) => `, ${name}`).join('')})
           values ($1, $2${given.map(([, column], i) => `, ${place(column, i + 3)}`).join('')})`,
    values: [id, tenantId, ...given.map(([field, column]) => parameterOf(column, fields[field]))],
  });
}

/** Undefined fields are not changed. Returns 0 if the record does not exist or has another version, otherwise 1. */
export async function update(
  app: pg.Pool,
  tenantId: number,
  kind: Kind,
  at: { readonly id: string; readonly version: number },
  fields: Fields,
): Promise<number> {
  const given = fieldsOf(kind).filter(([field]) => fields[field] !== undefined);
  const { rowCount } = await runAsTenant(app, tenantId, {
    text: `update ${kind.table} set version = version + 1, updated_at = now()
             ${given.map(([, column], i) => `, ${column.name} = ${place(column, i + 4)}`).join('')}
           where tenant_id = $1 and id = $2 and version = $3`,
    values: [tenantId, at.id, at.version, ...given.map(([field, column]) => parameterOf(column, fields[field]))],
  });
  return rowCount ?? 0;
}

export async function remove(
  app: pg.Pool,
  tenantId: number,
  kind: Kind,
  at: { readonly id: string; readonly version: number },
): Promise<number> {
  const { rowCount } = await runAsTenant(app, tenantId, {
    text: `delete from ${kind.table} where tenant_id = $1 and id = $2 and version = $3`,
    values: [tenantId, at.id, at.version],
  });
  return rowCount ?? 0;
}

/** Resolves a reference within the tenant; a foreign key alone would accept a row of another tenant. */
export async function resolve(
  app: pg.Pool,
  tenantId: number,
  to: NonNullable<Column['refersTo']>,
  name: string,
): Promise<string | undefined> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    text: `select id from ${to.table} where tenant_id = $1 and (id = $2 ${to.byName ? 'or name = $2' : ''})
           order by id = $2 desc limit 1`,
    values: [tenantId, name],
  });
  return rows[0]?.id;
}
