import type pg from 'pg';
import { int4Array, jsonArray, type Queryable, queryAsTenant, textArray } from '../../platform/postgres/index.ts';

export interface AuditEntry {
  readonly tenantId: number;
  readonly actor: string;
  readonly address: string | null;
  readonly action: string;
  readonly object: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly requestId: string | null;
}

const json = (value: unknown): string | null => (value === undefined || value === null ? null : JSON.stringify(value));

/** All in one statement, in their order. */
export async function insertEntries(db: Queryable, entries: readonly AuditEntry[]): Promise<void> {
  await db.query({
    name: 'insert-audit',
    text: `insert into audit (tenant_id, actor, ip, action, object, before, after, request_id)
           select tenant_id, actor, ip, action, object, before, after, request_id
           from unnest($1::int4[], $2::text[], $3::text[], $4::text[], $5::text[], $6::json[], $7::json[], $8::text[])
             with ordinality as e(tenant_id, actor, ip, action, object, before, after, request_id, place)
           order by place`,
    values: [
      int4Array(entries.map((e) => e.tenantId)),
      textArray(entries.map((e) => e.actor)),
      textArray(entries.map((e) => e.address)),
      textArray(entries.map((e) => e.action)),
      textArray(entries.map((e) => e.object)),
      jsonArray(entries.map((e) => json(e.before))),
      jsonArray(entries.map((e) => json(e.after))),
      textArray(entries.map((e) => e.requestId)),
    ],
  });
}

export interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
  readonly ip: string | null;
  readonly action: string;
  readonly object: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly requestId: string | null;
  readonly block: number | null;
  readonly [column: string]: unknown;
}

export interface AuditQuery {
  readonly from: string;
  readonly to: string;
  readonly actor: string | null;
  readonly action: string | null;
  readonly object: string | null;
  readonly after: number;
  readonly limit: number;
}

/** Oldest first. */
export function listEntries(app: pg.Pool, tenantId: number, query: AuditQuery): Promise<AuditRow[]> {
  return queryAsTenant<AuditRow>(app, tenantId, {
    name: 'list-audit',
    text: `select id, at, actor, ip, action, object, before, after, request_id as "requestId", block from audit
           where tenant_id = $1 and id > $2 and at >= $3::timestamptz and at <= $4::timestamptz
             and ($5::text is null or actor = $5) and ($6::text is null or action = $6)
             and ($7::text is null or object = $7)
           order by id limit $8`,
    values: [tenantId, query.after, query.from, query.to, query.actor, query.action, query.object, query.limit],
  });
}

export interface ChainRow {
  readonly blocks: number;
  readonly head: Buffer | null;
  readonly broken: number | null;
  readonly [column: string]: unknown;
}

export async function readChain(app: pg.Pool, tenantId: number): Promise<ChainRow> {
  const rows = await queryAsTenant<ChainRow>(app, tenantId, {
    text: `select count(*)::int as blocks, (array_agg(hash order by number desc))[1] as head,
                  broken_audit_block($1) as broken
           from audit_block where tenant_id = $1`,
    values: [tenantId],
  });
  return rows[0]!;
}

export async function seal(db: Queryable): Promise<number> {
  return (await db.query<{ blocks: number }>('select seal_audit() as blocks')).rows[0]!.blocks;
}
