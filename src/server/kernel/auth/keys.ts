import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import type { Principal, Scope } from '../access/index.ts';
import * as store from './store.ts';

export interface NewKey {
  readonly tenantId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** `live`, `test` or another word that shows where the key belongs */
  readonly environment?: string;
  /** epoch ms */
  readonly expiresAt?: number;
}

export interface KeyFacts {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

const KEY = /^flt_[a-z0-9]{1,16}_([a-z0-9]{1,32})_([A-Za-z0-9_-]{43,64})$/;
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Creates a key and returns it as `flt_<env>_<id>_<secret>`. Only a digest of the secret is stored. */
export async function createKey(pool: pg.Pool, key: NewKey): Promise<{ id: string; key: string }> {
  const id = randomBytes(6).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  const { tenantId, name, scopes } = key;
  await store.insertKey(pool, {
    id,
    tenantId,
    name,
    scopes,
    secretHash: digest(secret),
    expiresAt: key.expiresAt ?? null,
  });
  return { id, key: `flt_${key.environment ?? 'live'}_${id}_${secret}` };
}

/** Inserts a given key (that of the first start) unless it exists. Throws if the key is malformed. */
export async function ensureKey(pool: pg.Pool, token: string, key: Omit<NewKey, 'environment'>): Promise<void> {
  const [, id, secret] = KEY.exec(token) ?? [];
  if (id === undefined || secret === undefined) throw new Error('not a key: flt_<env>_<id>_<secret>');
  if ((await store.findKey(pool, id)) !== undefined) return;
  const { tenantId, name, scopes, expiresAt = null } = key;
  await store.insertKey(pool, { id, tenantId, name, scopes, secretHash: digest(secret), expiresAt });
}

/** Without secrets: only their digests are stored. */
export async function listKeys(pool: pg.Pool, tenantId: number): Promise<KeyFacts[]> {
  const keys = await store.listKeys(pool, tenantId);
  return keys.map(({ id, name, scopes, createdAt, expiresAt, revokedAt }) => ({
    id,
    name,
    scopes,
    createdAt,
    expiresAt,
    revokedAt,
  }));
}

/** False if the tenant has no such key. Every process drops its cached tokens. */
export const revokeKey = (pool: pg.Pool, tenantId: number, id: string): Promise<boolean> =>
  store.revokeKey(pool, tenantId, id);

/** Owner and expiry (epoch ms) of a key; undefined if invalid, expired or revoked. */
export async function verifyKey(
  pool: pg.Pool,
  token: string,
  now: number,
): Promise<{ principal: Principal; until: number } | undefined> {
  const [, id, secret] = KEY.exec(token) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const key = await store.findKey(pool, id);
  // constant time: also compares if the key does not exist
  const matches = timingSafeEqual(digest(secret), key?.secretHash ?? Buffer.alloc(32));
  if (key === undefined || !matches || key.revokedAt !== null || !key.isTenantActive) return undefined;
  if (key.expiresAt !== null && key.expiresAt <= now) return undefined;
  const principal = { kind: 'key', id, tenantId: key.tenantId, scopes: new Set(key.scopes) } as const;
  return { principal, until: key.expiresAt ?? Number.POSITIVE_INFINITY };
}
