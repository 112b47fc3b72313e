import type pg from 'pg';
import { z } from 'zod';
import { deviceId, instant } from '../../../../contract/position.ts';
import { AppError } from '../../../../platform/errors.ts';
import { transaction } from '../../../database/index.ts';
import type { Principal } from '../../../kernel/access/index.ts';
import { noteChange } from '../../../kernel/audit/index.ts';
import {
  type App,
  type Cursors,
  listOf,
  page,
  principalOf,
  textLike,
  toInstant,
  toInstantOrNull,
  toPage,
} from '../../../kernel/http/index.ts';
import { tenantName } from '../schema.ts';
import * as store from './store.ts';

const tags = ['tenants'];
const claim = z
  .object({
    id: textLike('4715'),
    imei: deviceId,
    tenant: tenantName.describe('tenant that has registered the id'),
    claimedAt: instant,
    holder: z
      .object({
        tenant: tenantName,
        registeredAt: instant,
        lastSeenAt: instant.nullable().describe('null: its device has never sent anything'),
      })
      .nullable()
      .describe('tenant that has the id; null: its device was removed'),
  })
  .meta({ id: 'DeviceClaim' });
const params = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .meta({ example: '4715' }),
});

export interface ClaimDeps {
  /** sees every tenant */
  readonly pool: pg.Pool;
  readonly cursors: Cursors;
  readonly ownTenantId: number;
}

/** Device ids that more than one tenant has registered, for the operator of the installation. */
export function addClaimRoutes(app: App, { pool, cursors, ownTenantId }: ClaimDeps): void {
  const demandOperator = (by: Principal): void => {
    if (by.tenantId !== ownTenantId) throw new AppError('missing-scope', 'Claims are for the operator');
  };
  const decide = (by: Principal, id: string, work: (tx: pg.PoolClient, row: store.ClaimRow) => Promise<void>) => {
    demandOperator(by);
    return transaction(pool, async (tx) => {
      const row = await store.lockClaim(tx, Number(id));
      if (row === undefined) throw new AppError('unknown-claim');
      await work(tx, row);
      return row;
    });
  };
  app.get(
    '/v1/device-claims',
    {
      config: { access: ['tenants:read'] },
      schema: {
        tags,
        summary: 'Device ids that another tenant has registered too',
        description:
          'For the operator. The tenant that has registered an id of another tenant sees a device that has not ' +
          'connected; what the device sends goes to the other one until the claim is accepted.',
        querystring: z.object({ ...page }),
        response: { 200: listOf(claim) },
      },
    },
    async (request) => {
      demandOperator(principalOf(request));
      const { limit, cursor } = request.query;
      const after = cursor === undefined ? 0 : Number(cursors.read(cursor, 'claims')[0]);
      const rows = await store.listClaims(pool, after, limit + 1);
      return toPage(rows, limit, present, ({ id }) => cursors.write([Number(id)], 'claims'));
    },
  );
  app.post(
    '/v1/device-claims/:id/accept',
    {
      config: { access: ['tenants:write'], errors: ['unknown-claim'] },
      schema: {
        tags,
        summary: 'Accept a claim',
        description:
          'What the device sends from now on belongs to the tenant of the claim. The device of the other tenant keeps ' +
          'its records, and is a claim itself.',
        params,
        response: { 200: claim },
      },
    },
    async (request) => {
      const row = await decide(principalOf(request), request.params.id, store.acceptClaim);
      noteChange(request, { object: row.imei, before: { tenant: row.holder }, after: { tenant: row.tenant } });
      return present(row);
    },
  );
  app.post(
    '/v1/device-claims/:id/reject',
    {
      config: { access: ['tenants:write'], errors: ['unknown-claim'] },
      schema: {
        tags,
        summary: 'Reject a claim',
        description: 'It is not listed again. Its tenant still sees a device that has not connected.',
        params,
        response: { 200: claim },
      },
    },
    async (request) => {
      const row = await decide(principalOf(request), request.params.id, (tx, { id }) => store.rejectClaim(tx, id));
      noteChange(request, { object: row.imei, after: { rejected: row.tenant } });
      return present(row);
    },
  );
}

function present({ id, imei, tenant, claimedAt, holder, holderSince, holderSeenAt }: store.ClaimRow) {
  return {
    id: String(id),
    imei,
    tenant,
    claimedAt: toInstant(claimedAt),
    holder:
      holder === null
        ? null
        : { tenant: holder, registeredAt: toInstant(holderSince!), lastSeenAt: toInstantOrNull(holderSeenAt) },
  };
}
