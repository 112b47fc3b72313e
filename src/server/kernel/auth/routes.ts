import { internalGrant, internalToken } from '../../../contract/internal.ts';
import { GATEWAY_SCOPES } from '../access/index.ts';
import type { App } from '../http/index.ts';
import { type InternalTokens, TOKEN_SECONDS } from './internal-tokens.ts';

export function addAuthRoutes(app: App, tokens: InternalTokens): void {
  app.post(
    '/v1/auth/internal',
    {
      config: { access: 'public', errors: ['invalid-assertion'] },
      schema: {
        tags: ['auth'],
        summary: 'A short token for one of the installation’s own services',
        description: 'The assertion authenticates: a JWT (HS256) signed with INTERNAL_KEY, with sub, exp and jti.',
        body: internalGrant,
        response: { 200: internalToken },
      },
    },
    async ({ body }) => ({
      accessToken: await tokens.exchange(body.service, body.assertion),
      tokenType: 'Bearer' as const,
      expiresIn: TOKEN_SECONDS,
      scope: GATEWAY_SCOPES.join(' '),
    }),
  );
}
