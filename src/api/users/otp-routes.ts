import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import { type LoginLimits, noStore, type OneTimePasswords } from '../auth/index.ts';
import { type App, principalOf } from '../http/index.ts';
import { recordName } from '../records/index.ts';
import type { Users } from './service.ts';

const tags = ['users'];
const own = { access: ['app'], isRepeatable: false } as const;
const otp = z.string().min(1).max(20).describe('six digits, or a recovery code');
const done = z.object({ message: z.string() });

export interface OtpRoutesDeps {
  readonly limits: Pick<LoginLimits, 'guard'>;
  readonly otps: OneTimePasswords;
  readonly users: Pick<Users, 'find' | 'demandPassword' | 'demandOther'>;
}

export function addOtpRoutes(app: App, deps: OtpRoutesDeps): void {
  addOwn(app, deps);
  const { otps, users } = deps;
  app.delete(
    '/v1/users/:user_id/otp',
    {
      config: { access: ['users:write'], errors: ['unknown-user', 'conflict', 'scope-not-granted'] },
      schema: {
        tags,
        summary: 'End a user’s one-time passwords',
        description: 'For one who has lost both telephone and recovery codes: the password alone opens then.',
        params: z.object({ user_id: recordName.describe('id, user name or `me`') }),
        response: { 200: done },
      },
    },
    async (request) => {
      const user = await users.demandOther(principalOf(request), request.params.user_id, 'DELETE /v1/users/me/otp');
      if (!(await otps.end(user.id))) throw new AppError('conflict', 'The user has none');
      return { message: 'One-time passwords are no longer required' };
    },
  );
}

function addOwn(app: App, { otps, users, limits }: OtpRoutesDeps): void {
  const url = '/v1/users/me/otp';
  app.get(
    url,
    {
      config: { ...own, errors: ['unknown-user'] },
      schema: {
        tags,
        summary: 'Does one’s own log-in ask for one-time passwords?',
        response: { 200: z.object({ enabled: z.boolean(), recoveryCodesLeft: z.number().int() }) },
      },
    },
    async (request) => otps.state((await users.find(principalOf(request), 'me')).user.id),
  );
  app.post(
    url,
    {
      config: { ...own, errors: ['unknown-user', 'conflict', 'invalid-credentials', 'locked'] },
      schema: {
        tags,
        summary: 'Ask for one-time passwords (TOTP, RFC 6238) at one’s own log-in',
        description: 'The secret is for an authenticator. It counts once a first code of it has been confirmed.',
        body: z.object({ password: z.string().max(1_000) }),
        response: { 200: z.object({ secret: z.string().describe('base32'), uri: z.string() }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const user = await limits.guard(principal.id, () => users.demandPassword(principal, request.body.password));
      return noStore(reply).send(await otps.enrol({ ...user, tenantId: principal.tenantId! }));
    },
  );
  app.post(
    `${url}/confirm`,
    {
      config: { ...own, errors: ['unknown-user', 'conflict', 'invalid-credentials', 'locked'] },
      schema: {
        tags,
        summary: 'Confirm them with a first code',
        description: 'Answers with ten recovery codes, shown this once: each stands in for a one-time password, once.',
        body: z.object({ otp }),
        response: { 200: z.object({ recoveryCodes: z.array(z.string()) }) },
      },
    },
    async (request, reply) => {
      const { user } = await users.find(principalOf(request), 'me');
      const codes = await limits.guard(user.id, () => otps.confirm(user.id, request.body.otp));
      return noStore(reply).send({ recoveryCodes: [...codes] });
    },
  );
  app.delete(
    url,
    {
      config: { ...own, errors: ['unknown-user', 'conflict', 'invalid-credentials', 'locked'] },
      schema: { tags, summary: 'End them', querystring: z.object({ otp }), response: { 200: done } },
    },
    async (request) => {
      const { user } = await users.find(principalOf(request), 'me');
      await limits.guard(user.id, async () => {
        const outcome = await otps.check(user.id, request.query.otp);
        if (outcome === 'none') throw new AppError('conflict', 'There are none');
        if (outcome !== 'fits') throw new AppError('invalid-credentials', 'The one-time password does not fit');
      });
      await otps.end(user.id);
      return { message: 'One-time passwords are no longer required' };
    },
  );
}
