import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { currentScopes, SCOPE_NAMES } from '../access/index.ts';
import { noteChange } from '../audit/index.ts';
import { type App, member, principalOf, tenantOf, text, textLike, toInstant, toInstantOrNull } from '../http/index.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';

const key = z
  .object({
    id: textLike('f9e8d7c6b5a4'),
    name: textLike('Dispatch system'),
    scopes: z.array(textLike('vehicles:read')),
    createdAt: instant,
    expiresAt: instant.nullable(),
    revokedAt: instant.nullable(),
  })
  .meta({ id: 'Key' });

const newKey = z.object({
  name: text(200, 1, 'ERP connector'),
  scopes: z
    .array(z.enum(SCOPE_NAMES))
    .min(1)
    .meta({ example: ['vehicles:read', 'positions:read'] })
    .describe('`commands:dangerous` is the deprecated name of `commands:privileged`'),
  days: z.number().int().min(1).max(36_500).optional().describe('that it is good for; for ever without'),
});

const tags = ['keys'];

export interface KeyRoutesDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** drops the cached tokens of a key */
  readonly forget: (id: string) => void;
}

/** API keys; each is also an OAuth client. */
export function addKeyRoutes(app: App, { pool, clock, forget }: KeyRoutesDeps): void {
  app.get(
    '/v1/keys',
    {
      config: { access: ['users:read'] },
      schema: {
        tags,
        summary: 'API keys',
        response: { 200: z.object({ items: z.array(key), nextCursor: member.nextCursor }) },
      },
    },
    async (request) => {
      const keys = await listKeys(pool, tenantOf(request));
      const items = keys.map(({ createdAt, expiresAt, revokedAt, scopes, ...rest }) => ({
        ...rest,
        scopes: [...scopes],
        createdAt: toInstant(createdAt),
        expiresAt: toInstantOrNull(expiresAt),
        revokedAt: toInstantOrNull(revokedAt),
      }));
      return { items, nextCursor: null };
    },
  );
  app.post(
    '/v1/keys',
    {
      config: { access: ['users:write'], isRepeatable: false, errors: ['scope-not-granted'] },
      schema: {
        tags,
        summary: 'Make an API key',
        description: 'Shown this once. It may no more than whoever makes it.',
        body: newKey,
        response: {
          200: z.object({
            id: textLike('f9e8d7c6b5a4'),
            key: textLike('flt_live_f9e8d7c6b5a4_k3Jx9QmZp1sT7vW2yB4nC6dF8gH0jL5rA3eU9iO1qXw'),
            scopes: z.array(textLike('vehicles:read')),
          }),
        },
      },
    },
    async (request, reply) => {
      const { name, days } = request.body;
      const scopes = currentScopes(request.body.scopes);
      const missing = scopes.filter((scope) => !principalOf(request).scopes.has(scope));
      if (missing.length > 0) throw new AppError('scope-not-granted', `Not granted: ${missing.join(' ')}`);
      const until = days === undefined ? {} : { expiresAt: clock.now() + days * DAY_MS };
      const made = await createKey(pool, { tenantId: tenantOf(request), name, scopes, ...until });
      noteChange(request, { object: made.id, after: { name, scopes, days: days ?? null } });
      return reply.header('cache-control', 'no-store').send({ ...made, scopes });
    },
  );
  app.delete(
    '/v1/keys/:id',
    {
      config: { access: ['users:write'], errors: ['unknown-key', 'scope-not-granted'] },
      schema: {
        tags,
        summary: 'End an API key',
        description:
          'Every process forgets it at once, and the tokens that were given for it. A key with scopes that the caller ' +
          'does not have is ended by somebody who has them.',
        params: z.object({ id: text(64, 1, 'f9e8d7c6b5a4') }),
        response: { 200: z.object({ message: member.message, id: textLike('f9e8d7c6b5a4') }) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const found = (await listKeys(pool, tenantOf(request))).find((each) => each.id === id);
      const missing = currentScopes(found?.scopes ?? []).filter((scope) => !principalOf(request).scopes.has(scope));
      if (missing.length > 0) throw new AppError('scope-not-granted', `The key may more: ${missing.join(' ')}`);
      if (!(await revokeKey(pool, tenantOf(request), id))) throw new AppError('unknown-key');
      forget(id);
      return { message: 'The key is revoked', id };
    },
  );
}
