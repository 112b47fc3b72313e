import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../../contract/position.ts';
import { AppError } from '../../../../platform/errors.ts';
import { type App, text, textLike, toInstant } from '../../../kernel/http/index.ts';
import { recordName, removal } from '../../../kernel/records/index.ts';
import { userOf } from '../app-routes.ts';
import * as store from './store.ts';

export interface PushRouteDeps {
  readonly pool: pg.Pool;
  /** public key for subscriptions of browsers; undefined: web push is not configured */
  readonly vapidPublicKey: string | undefined;
  /** Throws AppError `private-address`. */
  readonly checkUrl: (url: string) => Promise<void>;
}

const MAX_TARGETS = 20;
const base64url = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_-]{${Math.floor((bytes * 4) / 3)},${Math.ceil((bytes * 4) / 3)}}=*$`))
    .meta({ example: 'a'.repeat(Math.ceil((bytes * 4) / 3)) });

const registration = z.discriminatedUnion('channel', [
  z.object({
    channel: z.literal('web_push'),
    endpoint: z.url({ protocol: /^https?$/ }).max(2_000),
    keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
  }),
  z.object({ channel: z.literal('fcm'), token: text(4_096, 10), platform: text(50).optional() }),
]);
const target = z.object({
  id: textLike('pus_0a1b2c3d4e5f6a7b8c'),
  channel: z.enum(['web_push', 'fcm']),
  platform: z.string().nullable(),
  createdAt: instant,
});

/** The push subscriptions of a user’s browsers and apps. */
export function addPushRoutes(app: App, { pool, vapidPublicKey, checkUrl }: PushRouteDeps): void {
  const tags = ['app'];
  const config = { access: ['app'] } as const;
  const show = ({ id, channel, platform, createdAt }: store.TargetRow) => ({
    id,
    channel,
    platform,
    createdAt: toInstant(createdAt),
  });
  app.get(
    '/v1/app/push',
    {
      config: { ...config, errors: ['unknown-user'] },
      schema: {
        tags,
        summary: 'List push subscriptions of browsers and apps',
        response: { 200: z.object({ items: z.array(target), vapidPublicKey: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { tenantId, userId } = userOf(request);
      const rows = await store.readTargets(pool, tenantId, userId);
      return { items: rows.map(show), vapidPublicKey: vapidPublicKey ?? null };
    },
  );
  app.post(
    '/v1/app/push',
    {
      config: { ...config, errors: ['unknown-user', 'conflict', 'private-address'] },
      schema: {
        tags,
        summary: 'Register a browser (a PushSubscription) or an app (its FCM token)',
        description: 'Registering the same address again keeps its record, which then belongs to the caller.',
        body: registration,
        response: { 200: target },
      },
    },
    async (request) => {
      const { tenantId, userId } = userOf(request);
      const { body } = request;
      if (body.channel === 'web_push') await checkUrl(body.endpoint);
      if ((await store.countTargets(pool, tenantId, userId)) >= MAX_TARGETS) {
        throw new AppError('conflict', `A user has at most ${MAX_TARGETS} browsers and apps`);
      }
      const row = await store.saveTarget(pool, tenantId, {
        id: `pus_${randomBytes(9).toString('hex')}`,
        userId,
        channel: body.channel,
        address: body.channel === 'web_push' ? body.endpoint : body.token,
        keys: body.channel === 'web_push' ? body.keys : null,
        platform: body.channel === 'fcm' ? (body.platform ?? null) : null,
      });
      return show(row);
    },
  );
  app.delete(
    '/v1/app/push/:id',
    {
      config: { ...config, errors: ['unknown-user', 'unknown-notification'] },
      schema: {
        tags,
        summary: 'Delete a push subscription',
        params: z.object({ id: recordName.meta({ example: 'pus_0a1b2c3d4e5f6a7b8c' }) }),
        response: { 200: removal },
      },
    },
    async (request) => {
      const { tenantId, userId } = userOf(request);
      const { id } = request.params;
      if (!(await store.deleteTarget(pool, tenantId, userId, id))) throw new AppError('unknown-notification');
      return { message: 'The push subscription is deleted', id };
    },
  );
}
