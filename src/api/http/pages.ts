import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Log } from '../../platform/log.ts';
import { mergeMetrics } from './merge-metrics.ts';

export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
  /** why not, where it is not */
  readonly detail?: string;
}

export interface PagesDeps {
  readonly checks: () => Promise<readonly ReadinessCheck[]>;
  readonly registry: Registry;
  /** further metrics, as text, of processes that this one speaks for */
  readonly extraMetrics?: (() => Promise<string>) | undefined;
  readonly metricsPublic: boolean;
  readonly log: Log;
}

/** What operators and their machines look at. Without a tenant, outside of /v1. */
export function addPages(app: FastifyInstance, deps: PagesDeps): void {
  const open = { access: 'public', rateLimit: false, produces: '*/*' } as const;
  app.get('/healthz', { config: open, schema: { hide: true } }, async () => ({ status: 'ok' }));

  app.get('/readyz', { config: open, schema: { hide: true } }, async (_request, reply) => {
    const checks = await deps.checks();
    const isReady = checks.every(({ ok }) => ok);
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ready' : 'not-ready', checks });
  });

  const access = deps.metricsPublic ? 'public' : (['ops'] as const);
  app.get('/metrics', { config: { ...open, access }, schema: { hide: true } }, async (_request, reply) => {
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

  app.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () => app.swagger());
}
