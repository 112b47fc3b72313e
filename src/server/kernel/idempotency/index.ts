import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { hasEffects, tenantOf } from '../http/index.ts';
import * as store from './store.ts';

export { forgetOld } from './store.ts';

/** A running request with an Idempotency-Key. */
export interface Repeatable {
  /** record ids are derived from it, so that a process that resumes the request creates the same ids */
  readonly seed: { readonly key: string; readonly at: number };
  /** another process started this request and died; part of it may be done */
  readonly isResumed: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    repeatable: Repeatable | undefined;
    /**
     * Called with the received files by routes that read forms themselves, before they change anything. True if the
     * request is a repetition; the stored response has been sent.
     */
    isReplayOf: (reply: FastifyReply, content: Buffer) => Promise<boolean>;
  }
}

/** Lease of a key; expires if the process stops renewing it. */
const LEASE_S = 15;
const RENEW_MS = 5_000;
const KEY = /^[\x21-\x7e]{1,255}$/;

interface Running {
  readonly tenantId: number;
  readonly key: string;
  readonly timer: NodeJS.Timeout;
}

/**
 * Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): the response of the first request is stored for 24 h
 * and sent again for repetitions. Only successful responses are stored; after an error the key can be used again.
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

  /** True if the request is a repetition; the stored response has been sent. */
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

/** Forms are read by their route, not by a body parser. */
const isForm = ({ body, headers }: FastifyRequest): boolean =>
  body === undefined && headers['content-type'] !== undefined;

/** Undefined if the request has no key or no effects. Throws AppError `malformed`. */
function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || !isRepeatable(request)) return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new AppError('malformed', 'An Idempotency-Key is 1 to 255 printable characters');
  }
  return key;
}

/** Throws AppError `idempotency-key-unsupported` if the operation has effects and does not accept a key. */
function isRepeatable(request: FastifyRequest): boolean {
  const { access, isRepeatable: takesKey } = request.routeOptions.config;
  if (access === undefined || !hasEffects(request.method, access)) return false;
  if (takesKey === true && request.principal?.tenantId !== undefined) return true;
  throw new AppError('idempotency-key-unsupported');
}

/** If this fails, the lease expires and a repetition resumes the request. */
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
 * Hash that identifies a request: caller, URL without `wait`, and parsed body, so that white space does not matter.
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
