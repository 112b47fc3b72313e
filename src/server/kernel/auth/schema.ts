import { z } from 'zod';
import { ROLES } from '../access/index.ts';
import { member, text, textLike } from '../http/index.ts';

const username = text(200, 1);
const password = z.string().min(1).max(1_000);
const tenant = text(63)
  .optional()
  .describe(
    'name of the tenant, or its id; without it, the user of the tenant `default` or the only user of all tenants so called',
  );
const otp = z
  .string()
  .max(20)
  .meta({ example: '287082' })
  .optional()
  .describe('one-time password or recovery code, of a user who has asked for them');

export const credentials = z.object({ username, password, otp, tenant });

export const signedInUser = z.object({
  id: textLike('usr_0a1b2c3d4e5f6a7b8c'),
  username: member.username,
  name: member.name.nullable(),
  email: member.email.nullable(),
  role: z.enum(ROLES),
  locale: textLike('it'),
  timezone: member.timezone,
  tenant: textLike('default'),
});

export const session = z
  .object({
    accessToken: textLike('eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3JfMSJ9.c2lnbmF0dXJl').describe(
      'JWT (EdDSA), see /.well-known/jwks.json',
    ),
    tokenType: z.literal('Bearer'),
    expiresIn: z.number().int().meta({ example: 900 }).describe('s'),
    refreshToken: textLike('rft_Qm9uam91cg').describe('good once: it is answered with the next one'),
    refreshExpiresIn: z.number().int().describe('s'),
    user: signedInUser,
    scope: textLike('vehicles:read positions:read'),
  })
  .meta({ id: 'Session' });

export const exchangeRequest = z.object({
  apiKey: z.string().max(500).optional().describe('`flt_<env>_<id>_<secret>`'),
  grant_type: z.literal('client_credentials').optional().describe('OAuth 2.0, with client id and secret'),
  client_id: z.string().max(100).optional(),
  client_secret: z.string().max(500).optional(),
  scope: z.string().max(2_000).optional().describe('space-separated; without it all that the key has'),
  onBehalfOf: text(200).optional().describe('id or name of the user that the token represents'),
});

/**
 * The snake_case members of OAuth 2.0 are also sent, but not declared: generated clients would have two members with
 * one name.
 */
export const exchanged = z.looseObject({
  accessToken: textLike('eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3JfMSJ9.c2lnbmF0dXJl'),
  tokenType: z.literal('Bearer'),
  expiresIn: z.number().int().meta({ example: 900 }),
  scope: z
    .string()
    .describe('a request with grant_type also gets access_token, token_type and expires_in, as OAuth 2.0 names them'),
});

export const revocation = z.object({
  refreshToken: textLike('rft_Qm9uam91cg')
    .max(500)
    .optional()
    .describe('ends its session; without it the caller’s own ends'),
  all: z.boolean().optional().describe('every session of the caller ends'),
});

export const revoked = z.object({ message: member.message, sessionsRevoked: z.number().int() });

const version = z.string().max(50).optional();
export const appCredentials = z.object({
  username: username.optional(),
  password: password.optional(),
  otp,
  tenant,
  refreshToken: textLike('rft_Qm9uam91cg').max(500).optional(),
  device: z
    .object({
      id: z.string().min(1).max(200),
      platform: z.enum(['ios', 'android', 'web']).optional(),
      model: z.string().max(200).optional(),
      build: z.number().int().nonnegative().optional(),
      version,
      pushToken: z.string().max(4_000).optional(),
    })
    .optional(),
});
export const appSession = session.extend({ deviceId: z.string().nullable() }).meta({ id: 'AppSession' });

export const recoveryStart = z
  .object({
    username: username.optional(),
    email: text(320, 0, 'carla@example.org').optional(),
    tenant,
    channel: z.enum(['email', 'sms']).optional().describe('codes are sent by e-mail whichever is asked for'),
  })
  .refine(({ username, email }) => username !== undefined || email !== undefined, {
    error: 'a user name or an e-mail address is needed',
  });
export const recoveryStarted = z.object({ message: member.message, expiresIn: z.number().int() });
export const recoveryFinish = z
  .object({
    token: z.string().max(500).optional(),
    username: username.optional(),
    code: z.string().max(50).optional(),
    tenant,
    newPassword: z.string().max(1_000),
  })
  .refine(({ token, username, code }) => token !== undefined || (username !== undefined && code !== undefined), {
    error: 'a token, or a user name and a code, is needed',
  });
