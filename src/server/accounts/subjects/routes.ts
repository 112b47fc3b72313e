import type pg from 'pg';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { type App, member, principalOf, tenantOf, textLike } from '../../kernel/http/index.ts';
import { recordName } from '../../kernel/records/index.ts';
import { eraseSubject, readAccount, readSubject } from './store.ts';

const params = z.object({ id: recordName.meta({ example: 'drv_0a1b2c3d4e5f6a7b8c' }) });
const anything = z.record(z.string(), z.unknown());
const subject = z.object({
  driver: anything,
  pairings: z.array(anything),
  expenses: z.array(anything),
  audit: z.array(anything),
  account: anything.nullable().describe('with messages, rules, sessions, browsers and apps'),
  tachograph: anything.describe('files without their bytes, days, payroll, infringements'),
});

const account = z.object({
  account: anything.describe('with messages, rules, sessions, browsers and apps'),
  audit: z.array(anything),
});

/** Rights of data subjects (GDPR, articles 15, 17 and 20). A user is erased by removing the record. */
export function addSubjectRoutes(app: App, pool: pg.Pool): void {
  addAccountRoutes(app, pool);
  app.get(
    '/v1/drivers/:id/personal_data',
    {
      config: { access: ['drivers:read', 'users:read'], audit: 'personal-data.exported', errors: ['unknown-driver'] },
      schema: { tags: ['drivers'], summary: 'All stored data of a driver', params, response: { 200: subject } },
    },
    async (request, reply) => {
      const found = await readSubject(pool, tenantOf(request), request.params.id);
      if (found === undefined) throw new AppError('unknown-driver');
      return reply.header('cache-control', 'no-store').send(found);
    },
  );
  app.delete(
    '/v1/drivers/:id/personal_data',
    {
      config: { access: ['drivers:write', 'users:write'], audit: 'personal-data.erased', errors: ['unknown-driver'] },
      schema: {
        tags: ['drivers'],
        summary: 'Erase the personal data of a driver',
        description:
          'Name, contacts, card and account are removed. Positions of vehicles remain, under a number. The audit trail is ' +
          'kept for its retention period, as the law requires. So are tachograph files (a year), days (two years) and ' +
          'payroll (five); the files contain the name.',
        params,
        response: { 200: z.object({ message: member.message, id: textLike('drv_0a1b2c3d4e5f6a7b8c') }) },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await eraseSubject(pool, tenantOf(request), id))) throw new AppError('unknown-driver');
      return { message: 'The driver’s personal data are erased', id };
    },
  );
}

function addAccountRoutes(app: App, pool: pg.Pool): void {
  const read = async (tenantId: number, name: string): Promise<z.output<typeof account>> => {
    const found = await readAccount(pool, tenantId, name);
    if (found === undefined) throw new AppError('unknown-user');
    return found;
  };
  app.get(
    '/v1/users/:user_id/personal_data',
    {
      config: { access: ['users:read'], audit: 'personal-data.exported', errors: ['unknown-user'] },
      schema: {
        tags: ['users'],
        summary: 'All stored data of a user',
        params: z.object({ user_id: recordName.meta({ example: 'carla' }).describe('id or user name') }),
        response: { 200: account },
      },
    },
    async (request, reply) => {
      const found = await read(tenantOf(request), request.params.user_id);
      return reply.header('cache-control', 'no-store').send(found);
    },
  );
  app.get(
    '/v1/users/me/personal_data',
    {
      config: { access: ['app'], audit: 'personal-data.exported', errors: ['unknown-user'] },
      schema: { tags: ['users'], summary: 'All stored data of the caller', response: { 200: account } },
    },
    async (request, reply) => {
      const found = await read(tenantOf(request), principalOf(request).id);
      return reply.header('cache-control', 'no-store').send(found);
    },
  );
}
