import type pg from 'pg';
import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import { tenantOf } from '../http/access.ts';
import type { App } from '../http/server.ts';
import { recordName } from '../records/routes.ts';
import { eraseSubject, readSubject } from './store.ts';

const params = z.object({ id: recordName });
const anything = z.record(z.string(), z.unknown());
const subject = z.object({
  driver: anything,
  pairings: z.array(anything),
  expenses: z.array(anything),
  audit: z.array(anything),
  account: anything.nullable(),
  tachograph: anything.describe('files without their bytes, days, payroll, infringements'),
});

/** What a person may ask for (GDPR, articles 15, 17 and 20). */
export function addSubjectRoutes(app: App, pool: pg.Pool): void {
  app.get(
    '/v1/drivers/:id/personal_data',
    {
      config: { access: ['drivers:read', 'users:read'], audit: 'personal-data.exported' },
      schema: { tags: ['drivers'], summary: 'All that is kept of a driver', params, response: { 200: subject } },
    },
    async (request, reply) => {
      const found = await readSubject(pool, tenantOf(request), request.params.id);
      if (found === undefined) throw new AppError('unknown-driver');
      return reply.header('cache-control', 'no-store').send(found as never);
    },
  );
  app.delete(
    '/v1/drivers/:id/personal_data',
    {
      config: { access: ['drivers:write', 'users:write'], audit: 'personal-data.erased' },
      schema: {
        tags: ['drivers'],
        summary: 'Erase who a driver is',
        description:
          'Name, contacts, card and account are removed; where vehicles went stays, under a number. The audit trail ' +
          'keeps what was written, since a law asks for it, until its own end. So do tachograph files (a year), days ' +
          '(two years) and payroll (five); the files hold the name, and are kept until then.',
        params,
        response: { 200: z.object({ message: z.string(), id: z.string() }) },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await eraseSubject(pool, tenantOf(request), id))) throw new AppError('unknown-driver');
      return { message: 'The driver’s personal data are erased', id };
    },
  );
}
