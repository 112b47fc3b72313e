import { z } from 'zod';
import { noteChange } from '../../kernel/audit/index.ts';
import type { LoginLimits } from '../../kernel/auth/index.ts';
import {
  type App,
  expectedVersion,
  listOf,
  member,
  principalOf,
  sendTagged,
  tenantOf,
} from '../../kernel/http/index.ts';
import { recordName, removal } from '../../kernel/records/index.ts';
import { listedUser, newUser, passwordChange, user, userChange, usersQuery } from './schema.ts';
import type { Users } from './service.ts';

const tags = ['users'];
const read = { access: ['users:read'] } as const;
const write = { access: ['users:write'] } as const;
const params = z.object({ user_id: recordName.meta({ example: 'carla' }).describe('id, user name or `me`') });

export function addUserRoutes(app: App, users: Users, limits: Pick<LoginLimits, 'guard'>): void {
  app.get(
    '/v1/users/api',
    {
      config: read,
      schema: { tags, summary: 'Users', querystring: usersQuery, response: { 200: listOf(listedUser) } },
    },
    async (request) => {
      const { items, nextCursor } = await users.list(tenantOf(request), request.query);
      return { items: items.map((each) => listedUser.parse(each)), nextCursor };
    },
  );
  app.get(
    '/v1/users',
    { config: read, schema: { tags, summary: 'List users', querystring: usersQuery, response: { 200: listOf(user) } } },
    (request) => users.list(tenantOf(request), request.query),
  );
  app.get(
    '/v1/users/:user_id',
    {
      config: { isTagged: true, ...read, errors: ['unknown-user'] },
      schema: { tags, summary: 'A user', params, response: { 200: user } },
    },
    async (request, reply) => {
      const found = await users.find(principalOf(request), request.params.user_id);
      return sendTagged(request, reply, found.version, found.user);
    },
  );
  addChanges(app, users, limits);
}

function addChanges(app: App, users: Users, limits: Pick<LoginLimits, 'guard'>): void {
  app.post(
    '/v1/users',
    {
      config: {
        isTagged: true,
        ...write,
        errors: ['conflict', 'scope-not-granted', 'unknown-vehicle', 'weak-password'],
      },
      schema: {
        tags,
        summary: 'Create a user',
        description: 'The role of the user cannot have scopes that the caller does not have.',
        body: newUser.meta({
          example: {
            username: 'carla',
            name: 'Carla Rossi',
            email: 'carla@example.org',
            role: 'dispatcher',
            allVehicles: true,
            locale: 'it',
            timezone: 'Europe/Rome',
            password: 'seven grey herons',
          },
        }),
        response: { 200: user },
      },
    },
    async (request, reply) => {
      const made = await users.create(principalOf(request), request.body);
      noteChange(request, { object: made.user.id, after: made.user });
      return sendTagged(request, reply, made.version, made.user);
    },
  );
  app.patch(
    '/v1/users/:user_id',
    {
      config: {
        isTagged: true,
        ...write,
        errors: [
          'unknown-user',
          'conflict',
          'scope-not-granted',
          'unknown-vehicle',
          'weak-password',
          'precondition-failed',
        ],
      },
      schema: {
        tags,
        summary: 'Change a user',
        description: 'A new password, or `active: false`, ends every session of the user.',
        params,
        body: userChange.meta({ example: { name: 'Carla Rossi', timezone: 'Europe/Rome' } }),
        response: { 200: user },
      },
    },
    async (request, reply) => {
      const version = expectedVersion(request);
      const changed = await users.change(principalOf(request), request.params.user_id, request.body, version);
      noteChange(request, { object: changed.user.id, before: changed.before, after: changed.user });
      return sendTagged(request, reply, changed.version, changed.user);
    },
  );
  app.delete(
    '/v1/users/:user_id',
    {
      config: { ...write, errors: ['unknown-user', 'conflict', 'scope-not-granted', 'precondition-failed'] },
      schema: { tags, summary: 'Remove a user', params, response: { 200: removal } },
    },
    async (request) => {
      const gone = await users.remove(principalOf(request), request.params.user_id, expectedVersion(request));
      noteChange(request, { object: gone.id, before: gone });
      return { message: 'The user is removed', id: gone.id };
    },
  );
  app.put(
    '/v1/users/me/password',
    {
      config: {
        access: ['app'],
        isRepeatable: false,
        errors: ['unknown-user', 'invalid-credentials', 'weak-password', 'locked'],
      },
      schema: {
        tags,
        summary: 'Change one’s own password',
        description: 'Every session ends, this one too.',
        body: passwordChange.meta({
          example: { currentPassword: 'seven grey herons', newPassword: 'eight blue geese' },
        }),
        response: { 200: z.object({ message: member.message }) },
      },
    },
    async (request) => {
      const { currentPassword, newPassword } = request.body;
      const principal = principalOf(request);
      await limits.guard(principal.id, () => users.changePassword(principal, currentPassword, newPassword));
      return { message: 'The password is changed' };
    },
  );
}
