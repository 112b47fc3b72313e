import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { hasEffects, tenantOf } from '../http/index.ts';
import * as store from './store.ts';

export { forgetOld } from './store.ts';

/** A request that carries an Idempotency-Key, while it is worked on. */
export interface Repeatable {
  /** ids are made from it, so that whoever takes the work up makes the same ones */
  readonly seed: { readonly key: string; readonly at: number };
  /** a process that died may have done some of it */
  readonly isResumed: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    repeatable: Repeatable | undefined;
    /**
     * A route that reads the files of a form itself calls this before it changes anything, with what was read. True
     * where the request repeats an earlier one, whose answer has been sent.
     */
    isReplayOf: (reply: FastifyReply, content: Buffer) => Promise<boolean>;
  }
}

/** How long a key is held for a process that says no more that it is alive. */
const LEASE_S = 15;
const RENEW_MS = 5_000;
const KEY = /^[\x21-\x7e]{1,255}$/;

interface Running {
  readonly tenantId: number;
  readonly key: string;
  readonly timer: NodeJS.Timeout;
}

/**
 * Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): the answer of the first request is kept for 24 h and
 * given again. Only answers that say that something was done are kept; after a refusal the key is free.
 */
export function addIdempotency(app: FastifyInstance, pool: pg.Pool, log: Log): void {
  const running = new WeakMap<FastifyRequest, Running>();
  app.decorateRequest('repeatable', undefined);
  app.decorateRequest('isReplayOf', async function (this: FastifyRequest, reply: FastifyReply, content: Buffer) {
    const key = keyOf(this);
    return key !== undefined && begin(this, reply, { key, content });
  });
  app.addHook('preValidation', async (request, reply) => {
    const key = keyOf(request);
    if (key === undefined || isForm(request)) return undefined;
    return (await begin(request, reply, { key, content: request.body })) ? reply : undefined;
  });

  /** True where the request repeats an earlier one, whose answer has been sent. A reply cannot be returned: it is awaited. */
  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    { key, content }: { readonly key: string; readonly content: unknown },
  ): Promise<boolean> {
    const tenantId = tenantOf(request);
    const fingerprint = fingerprintOf(request, content);
    const begun = await store.begin(pool, tenantId, { key, fingerprint, leaseS: LEASE_S });
    if (begun === undefined) {
      replay(reply, await store.find(pool, tenantId, key), fingerprint);
      return true;
    }
    request.repeatable = { seed: { key: begun.seed, at: begun.createdAt }, isResumed: begun.isResumed };
    const timer = setInterval(() => {
      store.renew(pool, tenantId, key, LEASE_S).catch(() => {});
    }, RENEW_MS);
    running.set(request, { tenantId, key, timer });
    return false;
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    const held = running.get(request);
    if (held === undefined) {
      done(null, payload);
      return;
    }
    running.delete(request);
    clearInterval(held.timer);
    settle(pool, held, reply.statusCode, payload)
      .catch((error: Error) => log.warn({ reason: error.message }, 'the answer of a repeatable request was not kept'))
      .finally(() => done(null, payload));
  });
}

/** Files of a form are read by the route. */
const isForm = ({ body, headers }: FastifyRequest): boolean =>
  body === undefined && headers['content-type'] !== undefined;

/** Undefined where there is none, or nothing that could be repeated. Throws AppError `malformed`. */
function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || !isRepeatable(request)) return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new AppError('malformed', 'An Idempotency-Key is 1 to 255 printable characters');
  }
  return key;
}

/** Throws AppError `idempotency-key-unsupported` for a request with effects that cannot be repeated by its key. */
function isRepeatable(request: FastifyRequest): boolean {
  const { access, isRepeatable: takesKey } = request.routeOptions.config;
  if (access === undefined || !hasEffects(request.method, access)) return false;
  if (takesKey === true && request.principal?.tenantId !== undefined) return true;
  throw new AppError('idempotency-key-unsupported');
}

/** After a failure here the lease runs out and the work is taken up where it was left. */
async function settle(pool: pg.Pool, { tenantId, key }: Running, status: number, payload: unknown): Promise<void> {
  if (status < 400 && typeof payload === 'string') await store.finish(pool, tenantId, { key, status, body: payload });
  else if (status < 500) await store.forget(pool, tenantId, key);
  else await store.renew(pool, tenantId, key, 0);
}

function replay(reply: FastifyReply, known: store.KnownRow | undefined, fingerprint: Buffer): void {
  if (known !== undefined && !known.fingerprint.equals(fingerprint)) throw new AppError('idempotency-key-reused');
  if (known === undefined || known.status === null) {
    reply.header('retry-after', '1');
    throw new AppError('idempotency-key-in-use');
  }
  reply
    .code(known.status)
    .header('idempotency-replayed', 'true')
    .type('application/json; charset=utf-8')
    .serializer((text: unknown) => text as string)
    .send(known.body);
}

/**
 * The body as it was read: spaces and line ends do not make another request. Another caller does; another `wait` does
 * not.
 */
function fingerprintOf({ method, url, principal }: FastifyRequest, content: unknown): Buffer {
  const [path = '', search] = url.split('?', 2);
  const query = new URLSearchParams(search);
  query.delete('wait');
  const target = `${method} ${path.replace(/\/$/, '')} ${query}`;
  return createHash('sha256')
    .update(`${principal?.id} ${target}\n`)
    .update(Buffer.isBuffer(content) ? content : JSON.stringify(content ?? null))
    .digest();
}
