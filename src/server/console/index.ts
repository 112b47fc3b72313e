import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addApplication } from './application.ts';
import type { Overview } from './overview.ts';

export { type SpoolLine, sharedOverview, type WaitingLine } from './overview.ts';
export { addQueueBoard } from './queue-board.ts';

export interface ConsoleDeps {
  readonly overview: (tenantId: number) => Promise<Overview>;
  readonly tenantOf: (request: FastifyRequest) => number;
  /** external map servers */
  readonly mapOrigins?: readonly string[];
}

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'worker-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data:",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
} as const;

/** Maps are the only files of other servers, if the operator has set one. */
function policyOf(mapOrigins: readonly string[]): string {
  return Object.entries(POLICY)
    .map(([name, sources]) => [name, sources, ...(name === 'connect-src' ? new Set(mapOrigins) : [])].join(' '))
    .join('; ');
}

const page = (name: string): string => readFileSync(join(import.meta.dirname, 'pages', name), 'utf8');

/** The application of web/, and pages beside it: the login and the state of the server. Own files only. */
export function addConsole(app: FastifyInstance, deps: ConsoleDeps): void {
  const policy = policyOf(deps.mapOrigins ?? []);
  const guarded = (reply: FastifyReply): FastifyReply =>
    reply
      .header('content-security-policy', policy)
      .header('referrer-policy', 'same-origin')
      .header('x-frame-options', 'DENY')
      .header('cache-control', 'no-store');
  const open = { access: 'public', produces: '*/*', rateLimit: false } as const;
  const closed = { access: ['ops'], isPage: true, produces: '*/*', rateLimit: false } as const;
  const schema = { hide: true };
  const files = [
    { url: '/login', file: 'login.html', type: 'text/html', config: open },
    { url: '/console/overview', file: 'console.html', type: 'text/html', config: closed },
    { url: '/console/login.js', file: 'login.js', type: 'text/javascript', config: open },
    { url: '/console/console.js', file: 'console.js', type: 'text/javascript', config: closed },
    { url: '/console/style.css', file: 'style.css', type: 'text/css', config: open },
  ] as const;
  for (const { url, file, type, config } of files) {
    const body = page(file);
    app.get(url, { config, schema }, async (_request, reply) =>
      guarded(reply).type(`${type}; charset=utf-8`).send(body),
    );
  }
  app.get('/console/data', { config: closed, schema }, async (request, reply) =>
    guarded(reply).send(await deps.overview(deps.tenantOf(request))),
  );
  addApplication(app, guarded, policy);
}
