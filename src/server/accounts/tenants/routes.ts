import { noteChange } from '../../kernel/audit/index.ts';
import { type App, expectedVersion, listOf, principalOf, sendTagged } from '../../kernel/http/index.ts';
import { newTenant, removedTenant, tenant, tenantChange, tenantParameter, tenantsQuery } from './schema.ts';
import type { Tenants } from './service.ts';

const tags = ['tenants'];
const read = { access: ['tenants:read'] } as const;
const write = { access: ['tenants:write'] } as const;
const params = tenantParameter;

/** Only for the operator of the installation. */
export function addTenantRoutes(app: App, tenants: Tenants): void {
  app.get(
    '/v1/tenants',
    {
      config: read,
      schema: {
        tags,
        summary: 'List tenants',
        description: 'This and the following operations are allowed for the tenant of the operator only.',
        querystring: tenantsQuery,
        response: { 200: listOf(tenant) },
      },
    },
    (request) => tenants.list(principalOf(request), request.query),
  );
  app.get(
    '/v1/tenants/:tenant',
    {
      config: { isTagged: true, ...read, errors: ['unknown-tenant'] },
      schema: { tags, summary: 'A tenant', params, response: { 200: tenant } },
    },
    async (request, reply) => {
      const found = await tenants.find(principalOf(request), request.params.tenant);
      return sendTagged(request, reply, found.version, found.tenant);
    },
  );
  app.post(
    '/v1/tenants',
    {
      config: { isTagged: true, ...write, errors: ['conflict', 'weak-password'] },
      schema: {
        tags,
        summary: 'Create a tenant',
        description: 'With `admin` the first administrator is created too.',
        body: newTenant.meta({
          example: {
            name: 'rossi',
            title: 'Rossi Trasporti',
            timezone: 'Europe/Rome',
            partners: ['qora'],
            admin: {
              username: 'rossi-admin',
              name: 'Anna Rossi',
              email: 'anna@example.org',
              password: 'seven grey herons',
            },
          },
        }),
        response: { 200: tenant },
      },
    },
    async (request, reply) => {
      const made = await tenants.create(principalOf(request), request.body);
      noteChange(request, { object: made.tenant.name, after: made.tenant });
      return sendTagged(request, reply, made.version, made.tenant);
    },
  );
  app.patch(
    '/v1/tenants/:tenant',
    {
      config: { isTagged: true, ...write, errors: ['unknown-tenant', 'conflict', 'precondition-failed'] },
      schema: {
        tags,
        summary: 'Change a tenant, or switch it off and on',
        description:
          'With `active: false` its passwords, keys and tokens are rejected immediately; what its devices ' +
          'send is kept, and with `active: true` all is as it was.',
        params,
        body: tenantChange.meta({ example: { title: 'Rossi Trasporti', timezone: 'Europe/Rome', active: false } }),
        response: { 200: tenant },
      },
    },
    async (request, reply) => {
      const version = expectedVersion(request);
      const changed = await tenants.change(principalOf(request), request.params.tenant, request.body, version);
      noteChange(request, { object: changed.tenant.name, before: changed.before, after: changed.tenant });
      return sendTagged(request, reply, changed.version, changed.tenant);
    },
  );
  app.delete(
    '/v1/tenants/:tenant',
    {
      config: { ...write, errors: ['unknown-tenant', 'conflict', 'precondition-failed'] },
      schema: {
        tags,
        summary: 'Remove a tenant that is switched off',
        description: 'With all of its data. The audit trail is kept.',
        params,
        response: { 200: removedTenant },
      },
    },
    async (request) => {
      const gone = await tenants.remove(principalOf(request), request.params.tenant, expectedVersion(request));
      noteChange(request, { object: gone.name, before: gone });
      return { message: 'The tenant is removed', name: gone.name };
    },
  );
}
