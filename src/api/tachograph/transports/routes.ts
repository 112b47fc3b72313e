import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../audit/index.ts';
import { normaliseTarga } from '../../fleet-records/index.ts';
import { type App, type Cursors, instantMember, principalOf, tenantOf, text, toInstant } from '../../http/index.ts';
import { tags } from '../files/routes.ts';
import { isDriver } from '../files/store.ts';
import { addRevocableRoutes } from '../revocable/routes.ts';
import { presentRevocation, revocation } from '../revocable/shapes.ts';
import * as store from './store.ts';

const MOST_MS = 60 * 86_400_000;
const country = z.number().int().min(1).max(252).describe('NationNumeric');

const transport = z
  .object({
    id: z.string(),
    driverId: z.string(),
    targa: z.string(),
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
  driverId: text(100, 1),
  targa: text(64, 1).describe('of the motor vehicle'),
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

/** Carriages that a person enters. */
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
        body,
        response: { 200: transport },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { driverId, targa, loadedAt: from, unloadedAt: to, combinedTransport: isCombined, ...rest } = request.body;
      if (from >= to) throw new AppError('from-after-to');
      if (to - from > MOST_MS) throw new AppError('interval-too-long', 'A carriage takes at most 60 days');
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
