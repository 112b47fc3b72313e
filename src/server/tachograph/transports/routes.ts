import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { normaliseTarga } from '../../fleet/records/index.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  type Cursors,
  instantMember,
  member,
  principalOf,
  tenantOf,
  text,
  textLike,
  toInstant,
} from '../../kernel/http/index.ts';
import { tags } from '../files/routes.ts';
import { isDriver } from '../files/store.ts';
import { addRevocableRoutes } from '../revocable/routes.ts';
import { presentRevocation, revocation } from '../revocable/shapes.ts';
import * as store from './store.ts';

const MAX_PERIOD_MS = 60 * DAY_MS;
const country = z.number().int().min(1).max(252).describe('NationNumeric');

const transport = z
  .object({
    id: textLike('trp_00019f0a1b2c0a1b2c3d'),
    driverId: member.driverId,
    targa: member.targa,
    loadedAt: instant,
    loadedIn: z.number().int(),
    unloadedAt: instant,
    unloadedIn: z.number().int(),
    combinedTransport: z.boolean(),
    reference: z.string(),
    createdBy: z.string(),
    createdAt: instant,
    ...revocation,
  })
  .meta({ id: 'DriverTransport' });

const present = (row: store.TransportRow): z.output<typeof transport> => ({
  id: row.id,
  driverId: row.driverId,
  targa: row.targa,
  loadedAt: toInstant(row.from),
  loadedIn: row.loadedIn,
  unloadedAt: toInstant(row.to),
  unloadedIn: row.unloadedIn,
  combinedTransport: row.isCombined,
  reference: row.reference,
  createdBy: row.createdBy,
  createdAt: toInstant(row.createdAt),
  ...presentRevocation(row),
});

const body = z.object({
  driverId: text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c'),
  targa: text(64, 1, 'AB123CD').describe('of the motor vehicle'),
  loadedAt: instantMember('from'),
  loadedIn: country,
  unloadedAt: instantMember('from').describe('at most 60 days after `loadedAt`'),
  unloadedIn: country,
  combinedTransport: z
    .boolean()
    .default(false)
    .describe('the road leg of a combined transport operation (Directive 92/106/EEC)'),
  reference: text(200).default('').describe('of the consignment note'),
});

export interface TransportDeps {
  readonly pool: pg.Pool;
  readonly cursors: Cursors;
  readonly clock: Clock;
}

/** Carriages that are entered manually. */
export function addTransportRoutes(app: App, { pool, cursors, clock }: TransportDeps): void {
  app.post(
    '/v1/drivers/ddd/transports',
    {
      config: { access: ['ddd:write'], errors: ['unknown-driver', 'from-after-to', 'interval-too-long'] },
      schema: {
        tags,
        summary: 'Enter a carriage of goods by a driver',
        description:
          'One consignment, from its loading to its unloading. It replaces what tachographs recorded of loading and unloading ' +
          'from an hour before to an hour after it, in the lists of posting and cabotage.',
        body: body.meta({
          example: {
            driverId: 'drv_0a1b2c3d4e5f6a7b8c',
            targa: 'AB123CD',
            loadedAt: '2026-05-04T06:00:00Z',
            loadedIn: 13,
            unloadedAt: '2026-05-04T14:00:00Z',
            unloadedIn: 17,
            reference: 'CMR 2026-118',
          },
        }),
        response: { 200: transport },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { driverId, targa, loadedAt: from, unloadedAt: to, combinedTransport: isCombined, ...rest } = request.body;
      if (from >= to) throw new AppError('from-after-to');
      if (to - from > MAX_PERIOD_MS) throw new AppError('interval-too-long', 'A carriage takes at most 60 days');
      if (!(await isDriver(pool, tenantId, driverId))) throw new AppError('unknown-driver');
      const row = await store.insertTransport(pool, tenantId, {
        ...rest,
        driverId,
        targa: normaliseTarga(targa),
        from,
        to,
        isCombined,
        createdBy: principalOf(request).id,
        createdAt: clock.now(),
      });
      noteChange(request, { object: row.id, after: { driverId, from, to } });
      return present(row);
    },
  );
  addRevocableRoutes(
    app,
    { pool, clock, cursors },
    {
      path: '/v1/drivers/ddd/transports',
      exampleId: 'trp_00019f0a1b2c0a1b2c3d',
      name: 'driver-transports',
      store: store.transports,
      shape: transport,
      present,
      unknown: 'unknown-transport',
      listTitle: 'Entered carriages of drivers, oldest entry first',
      revokeTitle: 'Revoke an entered carriage',
    },
  );
}
