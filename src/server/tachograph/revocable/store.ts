import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { becomeTenant, type Queryable, queryAsTenant, transaction } from '../../database/index.ts';

/** What a person states of an interval of a driver. It is never changed or deleted, but it can be revoked. */
export interface RevocableRow {
  readonly id: string;
  readonly driverId: string;
  /** epoch ms */
  readonly from: number;
  readonly to: number;
  readonly revokedBy: string | null;
  readonly revokedByName: string | null;
  readonly revokedAt: number | null;
  readonly revokedReason: string | null;
  readonly [column: string]: unknown;
}

export interface RevocableQuery {
  readonly drivers?: readonly string[] | undefined;
  readonly id?: string | undefined;
  /** true: those that count; false: those that were revoked */
  readonly inForce?: boolean | undefined;
  /** epoch ms: that reach into the interval */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface Revocation {
  readonly by: string;
  /** epoch ms */
  readonly at: number;
  readonly reason: string;
}

export interface RevocableStore<Row extends RevocableRow> {
  /** of a `select` or `returning` */
  readonly columns: string;
  /** in ascending order of ids */
  list(app: pg.Pool, tenantId: number, query: RevocableQuery): Promise<Row[]>;
  /** `undefined` where it is revoked already, or does not exist. */
  revoke(app: pg.Pool, tenantId: number, id: string, revocation: Revocation): Promise<Row | undefined>;
}

export const stamp = (ms: number): string => new Date(ms).toISOString();

/** Ids ascend in the order in which rows are created. */
export const ascendingId = (prefix: string, createdAt: number): string =>
  `${prefix}_${createdAt.toString(16).padStart(12, '0')}${randomBytes(4).toString('hex')}`;

/**
 * `own`: the columns of the table beyond those of RevocableRow, as an SQL list. `alsoOnRevoke` is part of the
 * transaction that revokes a row.
 */
export function revocableStore<Row extends RevocableRow>(
  table: string,
  own: string,
  alsoOnRevoke?: (tx: Queryable, tenantId: number, row: Row) => Promise<void>,
): RevocableStore<Row> {
  const columns = `id, driver_id as "driverId", began as "from", ended as "to", ${own},
    revoked_by as "revokedBy", author_name(revoked_by) as "revokedByName", revoked_at as "revokedAt", revoked_reason as "revokedReason"`;
  return {
    columns,
    list(app, tenantId, { drivers, id, inForce, from, to, after = '', limit }) {
      return queryAsTenant<Row>(app, tenantId, {
        name: `list-${table.replaceAll('_', '-')}s`,
        text: `select ${columns} from ${table}
               where tenant_id = $1 and ($2::text[] is null or driver_id = any($2)) and ($3::text is null or id = $3)
                 and ($4::boolean is null or $4 = (revoked_at is null)) and ended > $5::timestamptz
                 and began <= $6::timestamptz and id > $7 order by id limit $8`,
        values: [
          tenantId,
          drivers ?? null,
          id ?? null,
          inForce ?? null,
          from === undefined ? '-infinity' : stamp(from),
          to === undefined ? 'infinity' : stamp(to),
          after,
          limit,
        ],
      });
    },
    revoke(app, tenantId, id, { by, at, reason }) {
      return transaction(app, async (tx) => {
        await tx.query(becomeTenant(tenantId));
        const { rows } = await tx.query<Row>(
          `update ${table} set revoked_by = $3, revoked_at = $4, revoked_reason = $5
           where tenant_id = $1 and id = $2 and revoked_at is null returning ${columns}`,
          [tenantId, id, by, stamp(at), reason],
        );
        const [row] = rows;
        if (row !== undefined) await alsoOnRevoke?.(tx, tenantId, row);
        return row;
      });
    },
  };
}
