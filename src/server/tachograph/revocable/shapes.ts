import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError, type ErrorCode } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type Cursors,
  instantParameter,
  page,
  principalOf,
  tenantOf,
  text,
  toInstantOrNull,
  toPage,
} from '../../kernel/http/index.ts';
import { recordName } from '../../kernel/records/index.ts';
import type { RevocableRow, RevocableStore } from './store.ts';

/** Members of a resource that can be revoked. */
export const revocation = {
  revokedBy: z.string().nullable(),
  revokedByName: z.string().nullable().describe('of the user, or the id where there is no name'),
  revokedAt: instant.nullable(),
  revokedReason: z.string().nullable(),
};

export const presentRevocation = ({ revokedBy, revokedByName, revokedAt, revokedReason }: RevocableRow) => ({
  revokedBy,
  revokedByName,
  revokedAt: toInstantOrNull(revokedAt),
  revokedReason,
});

/** Parameters of a list of such resources. */
export const revocableQuery = z.object({
  driver_id: text(100, 0, 'drv_0a1b2c3d4e5f6a7b8c').optional(),
  state: z.enum(['in-force', 'revoked']).optional(),
  from: instantParameter('from').optional(),
  to: instantParameter('to').optional(),
  ...page,
});

/** Parameters and body of a request that revokes one. */
export const revokeParams = (example: string) => z.object({ id: recordName.meta({ example }) });
export const revokeBody = z.object({ reason: text(2_000, 1, 'The driver worked') });

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

interface RevokeContext<Row extends RevocableRow> {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly store: RevocableStore<Row>;
  /** code of the error if there is none of this id */
  readonly unknown: ErrorCode;
}

type RevokeRequest = FastifyRequest<{
  Params: z.output<ReturnType<typeof revokeParams>>;
  Body: z.output<typeof revokeBody>;
}>;

/** Revokes what the request names. Throws AppError `unknown`, and `conflict` if it is revoked already. */
export async function revokeOne<Row extends RevocableRow>(
  request: RevokeRequest,
  { pool, clock, store, unknown }: RevokeContext<Row>,
): Promise<Row> {
  const tenantId = tenantOf(request);
  const { id } = request.params;
  const { reason } = request.body;
  const row = await store.revoke(pool, tenantId, id, { by: principalOf(request).id, at: clock.now(), reason });
  if (row === undefined) {
    const [known] = await store.list(pool, tenantId, { id, limit: 1 });
    throw known === undefined ? new AppError(unknown) : new AppError('conflict', 'It has been revoked already');
  }
  noteChange(request, { object: id, after: { revoked: true } });
  return row;
}
