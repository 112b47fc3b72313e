import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { type LoginLimits, noStore, type OneTimePasswords } from '../../kernel/auth/index.ts';
import { type App, member, principalOf, textLike } from '../../kernel/http/index.ts';
import { recordName } from '../../kernel/records/index.ts';
import type { Users } from './service.ts';

const tags = ['users'];
const own = { access: ['app'], isRepeatable: false } as const;
const otp = z.string().min(1).max(20).meta({ example: '287082' }).describe('six digits, or a recovery code');
const done = z.object({ message: member.message });

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
        description:
          'For a user who has lost both phone and recovery codes. The password is then sufficient to log in.',
        params: z.object({ user_id: recordName.meta({ example: 'carla' }).describe('id, user name or `me`') }),
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
        summary: 'State of one-time passwords of the caller',
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
        summary: 'Start the set-up of one-time passwords (TOTP, RFC 6238) for the caller',
        description:
          'The secret is for an authenticator app. One-time passwords are required after a first code has been confirmed.',
        body: z.object({ password: z.string().max(1_000).meta({ example: 'seven grey herons' }) }),
        response: {
          200: z.object({
            secret: textLike('JBSWY3DPEHPK3PXP').describe('base32'),
            uri: textLike('otpauth://totp/Fleetgate:carla?issuer=Fleetgate&secret=JBSWY3DPEHPK3PXP'),
          }),
        },
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
        description: 'Returns ten recovery codes, which are shown only here. Each replaces a one-time password once.',
        body: z.object({ otp }),
        response: { 200: z.object({ recoveryCodes: z.array(textLike('K7QMW-3ZXPT')) }) },
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
        if (outcome !== 'fits') throw new AppError('invalid-credentials', 'The one-time password is wrong');
      });
      await otps.end(user.id);
      return { message: 'One-time passwords are no longer required' };
    },
  );
}
