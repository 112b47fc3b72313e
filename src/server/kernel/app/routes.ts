import type pg from 'pg';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { ROLES } from '../access/index.ts';
import {
  authSchema,
  callerOf,
  clientOf,
  type LoginService,
  noStore,
  presentSession,
  RECOVERY_SECONDS,
  type Recovery,
  type RecoveryProof,
  type Sessions,
  setBudgetHeaders,
  setDeviceCookie,
} from '../auth/index.ts';
import { type App, member, principalOf, tenantOf, textLike } from '../http/index.ts';
import type { MapType } from './settings.ts';
import { readMe } from './store.ts';

export interface AppDeps {
  readonly pool: pg.Pool;
  readonly version: string;
  /** older builds are asked to update; 0: none is */
  readonly minimumBuild: number;
  readonly logins: LoginService;
  readonly sessions: Sessions;
  readonly recovery: Recovery;
  /** whether recovery e-mails can be sent */
  readonly recoverySends: boolean;
  /** map tiles for clients */
  readonly map?: { readonly type: MapType; readonly tiles: string; readonly attribution: string } | undefined;
  /** number of unread messages of a user */
  readonly badge: (tenantId: number, userId: string) => Promise<number>;
}

const tags = ['app'];

/** Routes for client applications: start-up settings and the current user. */
export function addAppRoutes(app: App, deps: AppDeps): void {
  addVersion(app, deps);
  addSignIn(app, deps);
  addMe(app, deps);
  addRecovery(app, deps);
}

const apiVersion = z.object({
  api: z.string().describe('version of the server: that of its API document'),
  latest: z.number().int().nullable().describe('newest build of the app that is known, where one is'),
  minimum: z.number().int().describe('oldest build that is admitted'),
  mustUpdate: z.boolean(),
  message: member.message.optional(),
  features: z
    .record(z.string(), z.boolean())
    .describe('`recovery`: whether passwords can be recovered, which takes a mail server'),
});

function addVersion(app: App, { version, minimumBuild, recoverySends }: AppDeps): void {
  app.get(
    '/v1/app/version',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Version of the API, and whether an app is new enough for it',
        querystring: z.object({
          platform: z.enum(['ios', 'android', 'web']).optional(),
          build: z.coerce.number().int().nonnegative().optional(),
        }),
        response: { 200: apiVersion },
      },
    },
    async ({ query: { build } }, reply) => {
      const mustUpdate = build !== undefined && build < minimumBuild;
      return reply.header('cache-control', 'public, max-age=300').send({
        api: version,
        latest: null,
        minimum: minimumBuild,
        mustUpdate,
        ...(mustUpdate ? { message: 'This version of the app is no longer served' } : {}),
        features: { recovery: recoverySends },
      });
    },
  );
}

function addSignIn(app: App, { logins, sessions, minimumBuild }: AppDeps): void {
  app.post(
    '/v1/app/auth',
    {
      config: {
        access: 'public',
        rateLimit: false,
        errors: ['invalid-credentials', 'otp-required', 'locked', 'rate-limited', 'app-too-old'],
      },
      schema: {
        tags,
        summary: 'Log in from an app, or go on with a refresh token',
        body: authSchema.appCredentials.meta({
          example: {
            username: 'carla',
            password: 'seven grey herons',
            tenant: 'default',
            device: { id: 'phone-1', platform: 'ios', model: 'iPhone 15', build: 12, version: '1.2.0' },
          },
        }),
        response: { 200: authSchema.appSession },
      },
    },
    async (request, reply) => {
      const { username, password, otp, tenant, refreshToken, device } = request.body;
      if (device?.build !== undefined && device.build < minimumBuild) throw new AppError('app-too-old');
      noStore(reply);
      if (refreshToken !== undefined) {
        const session = await sessions.refresh(refreshToken);
        return reply.send({ ...presentSession(session), deviceId: session.deviceId });
      }
      if (username === undefined || password === undefined) {
        throw new AppError('invalid', 'User name and password, or a refresh token, are needed');
      }
      const login = { username, password, otp, tenant, device };
      const { session, budget, device: cookie } = await logins.login(login, clientOf(request));
      return setDeviceCookie(setBudgetHeaders(reply, budget), cookie).send({
        ...presentSession(session),
        deviceId: session.deviceId,
      });
    },
  );
}

const me = z.object({
  user: z.object({
    id: textLike('usr_0a1b2c3d4e5f6a7b8c'),
    username: member.username.nullable(),
    name: member.name.nullable(),
    email: member.email.nullable(),
    locale: textLike('it'),
    timezone: member.timezone,
    role: z.enum([...ROLES, 'service']),
  }),
  tenant: z.object({
    name: textLike('rossi-trasporti'),
    title: textLike('Rossi Trasporti').nullable(),
    timezone: member.timezone,
  }),
  scopes: z.array(textLike('vehicles:read')),
  vehicles: z.number().int(),
  badge: z.number().int(),
  preferences: z.record(z.string(), z.unknown()),
  map: z
    .object({
      type: z.enum(['raster', 'pmtiles', 'style']),
      tiles: z.string().describe('URL of tiles with {z}, {x} and {y}, of a PMTiles archive, or of a MapLibre style'),
      attribution: z.string(),
    })
    .nullable()
    .describe('tiles of the installation: setting MAP_TILES'),
});

function addMe(app: App, { pool, badge, map }: AppDeps): void {
  for (const url of ['/v1/app/me', '/v1/app/ME']) {
    app.get(
      url,
      {
        config: { access: ['app'] },
        schema: {
          tags,
          summary: 'Who am I, and what may I do?',
          description: 'For an API key, the response has the id of the key and the role `service`.',
          response: { 200: me },
        },
      },
      async (request) => {
        const { id, kind, scopes } = principalOf(request);
        const tenantId = tenantOf(request);
        const row = await readMe(pool, tenantId, kind === 'user' ? id : null);
        const { username, name, email, locale, timezone, role } = row;
        return {
          user: { id, username, name, email, locale: locale ?? 'en', timezone, role: role ?? ('service' as const) },
          tenant: { name: row.tenant, title: row.tenantTitle, timezone: row.tenantTimezone },
          scopes: [...scopes].sort(),
          vehicles: row.vehicles,
          badge: kind === 'user' ? await badge(tenantId, id) : 0,
          preferences: { ...row.preferences },
          map: map ?? null,
        };
      },
    );
  }
}

function addRecovery(app: App, { recovery }: AppDeps): void {
  app.post(
    '/v1/app/recovery_mode',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Ask for a new password',
        description: 'The answer is the same whether there is such a user. Five an hour for one user from one address.',
        body: authSchema.recoveryStart.meta({ example: { username: 'carla', channel: 'email' } }),
        response: { 200: authSchema.recoveryStarted },
      },
    },
    async (request) => {
      const { username, email, tenant } = request.body;
      await recovery.start((username ?? email)!, tenant, callerOf(request));
      return { message: 'If the account exists a code was sent', expiresIn: RECOVERY_SECONDS };
    },
  );
  app.put(
    '/v1/app/recovery_mode',
    {
      config: { access: 'public', errors: ['invalid-or-expired-token', 'weak-password'] },
      schema: {
        tags,
        summary: 'Set a new password with what the mail says',
        description: 'By its token, or by user name and code. Every session of the user ends.',
        body: authSchema.recoveryFinish.meta({
          example: { token: 'rcv_Qm9uam91cg', newPassword: 'eight blue geese' },
        }),
        response: { 200: authSchema.revoked },
      },
    },
    async (request) => {
      const { token, username, code, tenant, newPassword } = request.body;
      const proof: RecoveryProof = token === undefined ? { username: username!, code: code!, tenant } : { token };
      const sessionsRevoked = await recovery.finish(proof, newPassword, callerOf(request));
      return { message: 'The password is changed', sessionsRevoked };
    },
  );
}
