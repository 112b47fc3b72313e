import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import type { Budget, Budgets } from '../budgets/index.ts';

const WINDOW_S = 60;
const AUTHENTICATIONS = 60;

/**
 * Limits requests per minute by credential, or by address on public routes. Routes with `rateLimit: false` and
 * services have no limit. Sends the headers of the early drafts and the structured ones
 * (draft-ietf-httpapi-ratelimit).
 */
export async function addRateLimit(app: FastifyInstance, perMinute: number, budgets: Budgets): Promise<void> {
  if (perMinute === 0) return;
  const windowMs = WINDOW_S * 1000;
  const requests = budgets.create({ name: 'requests', points: perMinute, windowMs });
  const publicRequests = budgets.create({ name: 'public', points: Math.min(AUTHENTICATIONS, perMinute), windowMs });
  await app.register(rateLimit, {
    global: true,
    hook: 'preHandler',
    max: (request) => (request.principal === undefined ? Math.min(AUTHENTICATIONS, perMinute) : perMinute),
    timeWindow: windowMs,
    store: storeOf((max) => (max === perMinute ? requests : publicRequests)),
    enableDraftSpec: true,
    keyGenerator: (request) => request.principal?.id ?? request.ip,
    allowList: (request) => request.principal?.kind === 'service',
    errorResponseBuilder: (_request, { after }) => new AppError('rate-limited', `Try again in ${after}`),
  });
  app.addHook('onSend', async (_request, reply) => {
    const remaining = reply.getHeader('ratelimit-remaining');
    if (remaining === undefined) return;
    const limit = reply.getHeader('ratelimit-limit');
    reply.header('ratelimit-policy', `"default";q=${limit};w=${WINDOW_S}`);
    reply.header('ratelimit', `"default";r=${remaining};t=${reply.getHeader('ratelimit-reset')}`);
  });
}

/** Store of the plugin: one budget per limit. */
function storeOf(budgetOf: (max: number) => Budget): new () => FastifyRateLimitStore {
  type Done = Parameters<FastifyRateLimitStore['incr']>[1];
  return class Store implements FastifyRateLimitStore {
    incr(key: string, done: Done, _windowMs?: number, max = 0): void {
      const { points, leftMs } = budgetOf(max).add(key);
      done(null, { current: points, ttl: leftMs });
    }

    child(): FastifyRateLimitStore {
      return this;
    }
  };
}
