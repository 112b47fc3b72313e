import { z } from 'zod';
import { type App, tenantOf } from '../../kernel/http/index.ts';
import type { SigningSecrets } from './secret.ts';

const secretAnswer = z.object({ secret: z.string().describe('whsec_ and the key in base64') });
const DESCRIPTION =
  'Requests to your URLs carry `webhook-id`, `webhook-timestamp` (Unix seconds) and `webhook-signature`: `v1,` and the ' +
  'base64 of the HMAC-SHA256, by the key behind `whsec_`, over `<id>.<timestamp>.<body>`.';

export function addCallbackRoutes(server: App, secrets: SigningSecrets): void {
  const tags = ['webhooks'];
  server.get(
    '/v1/webhooks/secret',
    {
      config: { access: ['webhooks:write'] },
      schema: {
        tags,
        summary: 'The secret by which call-backs are signed',
        description: DESCRIPTION,
        response: { 200: secretAnswer },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return { secret: await secrets.read(tenantOf(request)) };
    },
  );
  server.post(
    '/v1/webhooks/secret',
    {
      config: { access: ['webhooks:write'], isRepeatable: false },
      schema: {
        tags,
        summary: 'A new secret; the old one signs nothing from now on',
        description: DESCRIPTION,
        response: { 200: secretAnswer },
      },
    },
    async (request, reply) => {
      const secret = await secrets.replace(tenantOf(request));
      reply.header('cache-control', 'no-store');
      return { secret };
    },
  );
}
