import type pg from 'pg';
import { int4Array, jsonArray, type Queryable, queryAsTenant, textArray } from '../../database/index.ts';
import { auditJson } from './url-secrets.ts';

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

const json = (value: unknown): string | null => (value === undefined || value === null ? null : auditJson(value));

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

export interface BlockRow {
  readonly tenantId: number;
  readonly number: number;
  readonly rows: number;
  readonly hash: Buffer;
  /** null in blocks of earlier versions */
  readonly mac: Buffer | null;
  /** id of the key of the MAC */
  readonly macKey: string | null;
}

const BLOCK = `tenant_id as "tenantId", number, rows, hash, mac, mac_key as "macKey"`;

/** Inserts a block of the unsealed entries of each tenant; the caller adds the MACs in the same transaction. */
export async function seal(tx: Queryable): Promise<BlockRow[]> {
  return (await tx.query<BlockRow>(`select ${BLOCK} from seal_audit()`)).rows;
}

/** Whether there are entries that are in no block yet. */
export async function hasUnsealed(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ exists: boolean }>('select exists (select from audit where block is null)');
  return rows[0]!.exists;
}

export async function signBlocks(
  tx: Queryable,
  keyId: string,
  blocks: readonly (Pick<BlockRow, 'tenantId' | 'number'> & { readonly mac: Buffer })[],
): Promise<void> {
  await tx.query(
    `select sign_audit_block(b.tenant_id, b.number, b.mac, $4)
     from unnest($1::int[], $2::int[], $3::bytea[]) as b(tenant_id, number, mac)`,
    [blocks.map(({ tenantId }) => tenantId), blocks.map(({ number }) => number), blocks.map(({ mac }) => mac), keyId],
  );
}

const BLOCKS_AT_ONCE = 5_000;

/** By number. */
export async function* readBlocks(db: Queryable, tenantId: number): AsyncGenerator<BlockRow> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const { rows } = await db.query<BlockRow>(
      `select ${BLOCK} from audit_block where tenant_id = $1 and number > $2::int8 order by number limit $3`,
      [tenantId, after, BLOCKS_AT_ONCE],
    );
    yield* rows;
    if (rows.length < BLOCKS_AT_ONCE) return;
    after = rows.at(-1)!.number;
  }
}

/** The newest block of each tenant. */
export async function readHeads(db: Queryable): Promise<BlockRow[]> {
  const { rows } = await db.query<BlockRow>(
    `select distinct on (tenant_id) ${BLOCK} from audit_block order by tenant_id, number desc`,
  );
  return rows;
}

export async function readHead(app: pg.Pool, tenantId: number): Promise<BlockRow | undefined> {
  const rows = await queryAsTenant<BlockRow & Record<string, unknown>>(app, tenantId, {
    text: `select ${BLOCK} from audit_block where tenant_id = $1 order by number desc limit 1`,
    values: [tenantId],
  });
  return rows[0];
}

export async function readBrokenBlock(db: Queryable, tenantId: number): Promise<number | null> {
  const { rows } = await db.query<{ broken: number | null }>('select broken_audit_block($1) as broken', [tenantId]);
  return rows[0]!.broken;
}

/** Tenants that have rows or blocks. */
export async function listTenants(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ tenantId: number }>(
    'select tenant_id as "tenantId" from audit union select tenant_id from audit_block',
  );
  return rows.map(({ tenantId }) => tenantId);
}

/** Newest first; secrets are sealed. */
export async function listAuditKeys(db: Queryable): Promise<{ id: string; secret: string }[]> {
  const { rows } = await db.query<{ id: string; secret: string }>(
    'select key_id as id, secret from audit_key order by created_at desc, key_id',
  );
  return rows;
}

export async function insertAuditKey(db: Queryable, id: string, sealed: string): Promise<void> {
  await db.query('insert into audit_key (key_id, secret) values ($1, $2)', [id, sealed]);
}
