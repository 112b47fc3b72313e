import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { systemClock } from '../../../platform/clock.ts';
import { AppError, type ErrorCode, errorTable } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { type Check, createMemory, readinessOf } from '../../../platform/readiness.ts';
import { mergeMetrics } from './merge-metrics.ts';

export interface PagesDeps {
  readonly checks: () => Promise<readonly Check[]>;
  readonly registry: Registry;
  /** metrics of other processes in exposition format */
  readonly extraMetrics?: (() => Promise<string>) | undefined;
  /** bearer tokens that metrics are read with besides the credentials of the database; `public`: with none */
  readonly metricsTokens: readonly string[] | 'public';
  readonly log: Log;
}

/** Health, readiness and metrics, for operators; outside of /v1 and without a tenant. */
export function addPages(app: FastifyInstance, deps: PagesDeps): void {
  const open = { access: 'public', rateLimit: false, produces: '*/*' } as const;
  app.get('/healthz', { config: open, schema: { hide: true } }, async () => ({ status: 'ok' }));

  const remember = createMemory(systemClock.now);
  app.get('/readyz', { config: open, schema: { hide: true } }, async (_request, reply) => {
    const readiness = readinessOf(remember(await deps.checks()));
    return reply
      .code(readiness.status === 'not-ready' ? 503 : 200)
      .header('cache-control', 'no-store')
      .send(readiness);
  });

  const { metricsTokens } = deps;
  const access = metricsTokens === 'public' ? 'public' : (['ops'] as const);
  const tokens = metricsTokens === 'public' ? [] : metricsTokens;
  app.get('/metrics', { config: { ...open, access, tokens }, schema: { hide: true } }, async (_request, reply) => {
    const own = await deps.registry.metrics();
    const further = await deps.extraMetrics?.().catch((error: Error) => {
      deps.log.warn({ reason: error.message }, 'further metrics are missing');
      return '';
    });
    return reply.type(deps.registry.contentType).send(further ? mergeMetrics(own, further) : own);
  });

  app.get('/', { config: open, schema: { hide: true } }, async (request, reply) => {
    const isBrowser = /\btext\/html\b/.test(request.headers.accept ?? '');
    const hasConsole = app.hasRoute({ method: 'GET', url: '/console' });
    return reply
      .header('vary', 'accept')
      .header('link', '</openapi.json>; rel="service-desc", </docs>; rel="service-doc"')
      .redirect(isBrowser && hasConsole ? '/console' : '/docs', 302);
  });

  app.get(
    '/problems/:code',
    { config: { access: 'public', produces: '*/*' }, schema: { hide: true } },
    async (request, reply) => {
      const { code } = request.params as { code: string };
      if (!Object.hasOwn(errorTable, code)) throw new AppError('not-found');
      return reply.type('text/html; charset=utf-8').send(problemPage(code as ErrorCode));
    },
  );

  app.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () => app.swagger());
}

/** What `type` of a problem leads to (RFC 9457, 3.1.1). */
function problemPage(code: ErrorCode): string {
  const { status, title } = errorTable[code];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${code}</title>
<h1><code>${code}</code></h1>
<p>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}.</p>
<p>Status ${status}. <code>detail</code> of the problem says what is wrong with this request, <code>errors</code> which
members. <code>requestId</code> finds the request in the log of the server.</p>
<p><a href="/docs">API reference</a></p></html>`;
}
