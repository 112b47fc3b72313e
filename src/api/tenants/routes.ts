import { noteChange } from '../audit/index.ts';
import { type App, expectedVersion, listOf, principalOf, sendTagged } from '../http/index.ts';
import { newTenant, removedTenant, tenant, tenantChange, tenantParameter, tenantsQuery } from './schema.ts';
import type { Tenants } from './service.ts';

const tags = ['tenants'];
const read = { access: ['tenants:read'] } as const;
const write = { access: ['tenants:write'] } as const;
const params = tenantParameter;

/** For the operator of the installation alone. */
export function addTenantRoutes(app: App, tenants: Tenants): void {
  app.get(
    '/v1/tenants',
    {
      config: read,
      schema: {
        tags,
        summary: 'List tenants',
        description: 'Of the operator’s own tenant alone, like all that follows here.',
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
        description: 'With `admin` its first administrator is made too, who makes the other users.',
        body: newTenant,
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
          'With `active: false` none of its passwords, keys and tokens is accepted any longer, at once; what its devices ' +
          'send is kept, and with `active: true` all is as it was.',
        params,
        body: tenantChange,
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
