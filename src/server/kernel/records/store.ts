import type pg from 'pg';
import { queryAsTenant, runAsTenant, textArray } from '../../database/index.ts';
import type { Column, Kind, RecordRow } from './kind.ts';

type Fields = Readonly<Record<string, unknown>>;

// table and column names come from code, values are parameters: no SQL injection
const fieldsOf = (kind: Kind): [string, Column][] => Object.entries(kind.columns);
const selected = (kind: Kind): string =>
  [
    't.id, t.version, t.created_at as "createdAt", t.updated_at as "updatedAt"',
    ...fieldsOf(kind).map(
      ([field, { name, type, shown = `t.${name}` }]) => `${shown}${type === 'numeric' ? '::float8' : ''} as "${field}"`,
    ),
  ].join(', ');
const place = ({ type }: Column, n: number): string =>
  type === 'timestamptz' ? `to_timestamp($${n}::float8 / 1000)` : `$${n}::${type}`;
function parameterOf({ type }: Column, value: unknown): unknown {
  if (type === 'text[]') return textArray(value as string[]);
  return type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
}

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

/** Ids by the ids or names that refer to them, within the tenant: a foreign key alone would accept a row of another. */
export async function resolve(
  app: pg.Pool,
  tenantId: number,
  { table, byName, column = 'name', normalise = (given) => given }: NonNullable<Column['refersTo']>,
  given: readonly string[],
): Promise<Map<string, string>> {
  const names = byName ? given.map(normalise) : [];
  const rows = await queryAsTenant<{ id: string; name: string }>(app, tenantId, {
    text: `select id, ${byName ? column : 'id'} as name from ${table}
           where tenant_id = $1 and (id = any($2::text[]) ${byName ? `or ${column} = any($3::text[])` : ''})`,
    values: [tenantId, textArray(given), ...(byName ? [textArray(names)] : [])],
  });
  const ids = new Set(rows.map(({ id }) => id));
  const byNames = new Map(rows.map(({ id, name }) => [name, id]));
  const found = given.map((one) => [one, ids.has(one) ? one : byNames.get(byName ? normalise(one) : one)] as const);
  return new Map(found.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}
