import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { AppError } from '../../../platform/errors.ts';
import { type App, listOf, member, principalOf, tenantOf, textLike, toInstant } from '../http/index.ts';
import type { Sessions } from './sessions/service.ts';

const tags = ['auth'];

const session = z
  .object({
    id: textLike('ses_0a1b2c3d4e5f6a7b8c9d0e1f'),
    createdAt: instant,
    lastUsedAt: instant.describe('when its tokens were renewed last'),
    expiresAt: instant.describe('if its tokens are not renewed'),
    address: textLike('192.0.2.10').nullable().describe('of the client that logged in'),
    userAgent: z.string().nullable().describe('name of the program that logged in'),
    device: z
      .object({
        id: textLike('app-1').optional(),
        platform: z.string().optional(),
        model: z.string().optional(),
      })
      .nullable()
      .describe('what an app has said about its device'),
    isCurrent: z.boolean().describe('the session of this request'),
  })
  .meta({ id: 'LoginSession' });

/** Users list their sessions and revoke those that they do not recognize. */
export function addSessionRoutes(app: App, sessions: Sessions): void {
  const userOf = (request: Parameters<typeof principalOf>[0]): { tenantId: number; userId: string } => {
    const { id, kind, viaKey } = principalOf(request);
    if (kind !== 'user') throw new AppError('unknown-user', 'Only users have sessions');
    // a key may act for a user who may do more than the key
    if (viaKey !== undefined) throw new AppError('missing-scope', 'Sessions are those of users who have logged in');
    return { tenantId: tenantOf(request), userId: id };
  };
  app.get(
    '/v1/auth/sessions',
    {
      config: { access: [], errors: ['unknown-user', 'missing-scope'] },
      schema: {
        tags,
        summary: 'Own sessions',
        description: 'The open sessions of the user who asks, the newest first: at most 500.',
        response: { 200: listOf(session) },
      },
    },
    async (request) => {
      const { tenantId, userId } = userOf(request);
      const { sessionId } = principalOf(request);
      const rows = await sessions.list(tenantId, userId);
      const items = rows.map(({ id, createdAt, usedAt, expiresAt, address, userAgent, device }) => ({
        id,
        createdAt: toInstant(createdAt),
        lastUsedAt: toInstant(usedAt),
        expiresAt: toInstant(expiresAt),
        address,
        userAgent,
        device: device === null ? null : { id: device.id, platform: device.platform, model: device.model },
        isCurrent: id === sessionId,
      }));
      return { items, nextCursor: null };
    },
  );
  app.delete(
    '/v1/auth/sessions/:id',
    {
      config: { access: [], errors: ['unknown-user', 'unknown-session', 'missing-scope'] },
      schema: {
        tags,
        summary: 'End one of the own sessions',
        description: 'Its tokens are refused at once, in every process.',
        params: z.object({
          id: z.string().min(1).max(100).meta({ example: 'ses_0a1b2c3d4e5f6a7b8c9d0e1f' }),
        }),
        response: { 200: z.object({ message: member.message, id: textLike('ses_0a1b2c3d4e5f6a7b8c9d0e1f') }) },
      },
    },
    async (request) => {
      const { tenantId, userId } = userOf(request);
      const { id: sessionId } = request.params;
      if ((await sessions.end(tenantId, { sessionId, userId })) === 0) throw new AppError('unknown-session');
      return { message: 'Session ended', id: sessionId };
    },
  );
}
