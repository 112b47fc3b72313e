import { z } from 'zod';
import { ROLES } from '../access/index.ts';
import { text } from '../http/index.ts';

const username = text(200, 1);
const password = z.string().min(1).max(1_000);
const tenant = text(63).optional().describe('name of the tenant; without it the first one, `default`');
const otp = z
  .string()
  .max(20)
  .optional()
  .describe('one-time password or recovery code, of a user who has asked for them');

export const credentials = z.object({ username, password, otp, tenant });

export const signedInUser = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  role: z.enum(ROLES),
  locale: z.string(),
  timezone: z.string(),
  tenant: z.string(),
});

export const session = z
  .object({
    accessToken: z.string().describe('JWT (EdDSA), see /.well-known/jwks.json'),
    tokenType: z.literal('Bearer'),
    expiresIn: z.number().int().describe('s'),
    refreshToken: z.string().describe('good once: it is answered with the next one'),
    refreshExpiresIn: z.number().int().describe('s'),
    user: signedInUser,
    scope: z.string(),
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

/** OAuth 2.0 names its members otherwise; clients that are generated would have two of one name, so they are not declared. */
export const exchanged = z.looseObject({
  accessToken: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.number().int(),
  scope: z
    .string()
    .describe('a request with grant_type also gets access_token, token_type and expires_in, as OAuth 2.0 names them'),
});

export const revocation = z.object({
  refreshToken: z.string().max(500).optional().describe('ends its session; without it the caller’s own ends'),
  all: z.boolean().optional().describe('every session of the caller ends'),
});

export const revoked = z.object({ message: z.string(), sessionsRevoked: z.number().int() });

const version = z.string().max(50).optional();
export const appCredentials = z.object({
  username: username.optional(),
  password: password.optional(),
  otp,
  tenant,
  refreshToken: z.string().max(500).optional(),
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
    email: text(320).optional(),
    tenant,
    channel: z.enum(['email', 'sms']).optional().describe('codes are sent by e-mail whichever is asked for'),
  })
  .refine(({ username, email }) => username !== undefined || email !== undefined, {
    error: 'a user name or an e-mail address is needed',
  });
export const recoveryStarted = z.object({ message: z.string(), expiresIn: z.number().int() });
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
