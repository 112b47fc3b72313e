import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Cursors, instantParameter, page, text, toInstantOrNull, toPage } from '../../http/index.ts';
import { recordName } from '../../records/index.ts';
import type { RevocableRow, RevocableStore } from './store.ts';

/** Members of a resource that can be revoked. */
export const revocation = {
  revokedBy: z.string().nullable(),
  revokedAt: instant.nullable(),
  revokedReason: z.string().nullable(),
};

export const presentRevocation = ({ revokedBy, revokedAt, revokedReason }: RevocableRow) => ({
  revokedBy,
  revokedAt: toInstantOrNull(revokedAt),
  revokedReason,
});

/** Parameters of a list of such resources. */
export const revocableQuery = z.object({
  driver_id: text(100).optional(),
  state: z.enum(['in-force', 'revoked']).optional(),
  from: instantParameter('from').optional(),
  to: instantParameter('to').optional(),
  ...page,
});

/** Parameters and body of a request that revokes one. */
export const revokeParams = z.object({ id: recordName });
export const revokeBody = z.object({ reason: text(2_000, 1) });

interface ListContext<Row extends RevocableRow, T> {
  readonly pool: pg.Pool;
  readonly tenantId: number;
  readonly cursors: Cursors;
  readonly store: RevocableStore<Row>;
  /** of the list, for its cursors */
  readonly name: string;
  readonly present: (row: Row) => T;
}

/** A page of the list. Throws AppError `from-after-to`. */
export async function listRevocable<Row extends RevocableRow, T>(
  { pool, tenantId, cursors, store, name, present }: ListContext<Row, T>,
  { driver_id: driverId, state, from, to, limit, cursor }: z.output<typeof revocableQuery>,
): Promise<{ items: T[]; nextCursor: string | null }> {
  if (from !== undefined && to !== undefined && from > to) throw new AppError('from-after-to');
  const filter = [name, tenantId, driverId ?? null, state ?? null, from ?? null, to ?? null];
  const rows = await store.list(pool, tenantId, {
    drivers: driverId === undefined ? undefined : [driverId],
    inForce: state === undefined ? undefined : state === 'in-force',
    from,
    to,
    after: cursor === undefined ? '' : String(cursors.read(cursor, filter)[0]),
    limit: limit + 1,
  });
  return toPage(rows, limit, present, ({ id }) => cursors.write([id], filter));
}
