import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type pg from 'pg';
import type { Clock } from '../../../../platform/clock.ts';
import { DAY_MS } from '../../../../platform/durations.ts';
import { openValue, type Secrets, sealValue } from '../../secrets/index.ts';
import * as store from './store.ts';

export const ALGORITHM = 'EdDSA';
/** A new key is created after this time; the previous one verifies its tokens until they have expired. */
const RENEW_AFTER_MS = 90 * DAY_MS;
const FORGET_AFTER_MS = RENEW_AFTER_MS + DAY_MS;
const RELOAD_EVERY_MS = 5_000;

export interface SigningKeys {
  /** the newest */
  current(): Promise<{ kid: string; key: CryptoKey }>;
  /** Undefined if no process has created this key. */
  find(kid: string): Promise<CryptoKey | undefined>;
  /** public keys as JWKS (RFC 7517) */
  publish(): Promise<{ keys: JWK[] }>;
}

interface Loaded {
  readonly kid: string;
  readonly createdAt: number;
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** Ed25519 pairs, shared by all API processes through the database. */
export function createSigningKeys(pool: pg.Pool, clock: Clock, secrets: Secrets): SigningKeys {
  let keys: readonly Loaded[] = [];
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> => {
    loading ??= (async () => {
      keys = await Promise.all((await store.listSigningKeys(pool)).map((key) => readKey(key, secrets)));
      loadedAt = clock.now();
    })().finally(() => {
      loading = undefined;
    });
    return loading;
  };
  const isFresh = (key: Loaded | undefined): key is Loaded =>
    key !== undefined && key.createdAt > clock.now() - RENEW_AFTER_MS;
  const renew = async (): Promise<void> => {
    await store.insertSigningKey(pool, await makeKey(secrets));
    await store.deleteSigningKeys(pool, clock.now() - FORGET_AFTER_MS);
    await load();
  };
  return {
    async current() {
      if (!isFresh(keys[0])) await load();
      if (!isFresh(keys[0])) await renew();
      return { kid: keys[0]!.kid, key: keys[0]!.privateKey };
    },
    async find(kid) {
      const known = keys.find((key) => key.kid === kid);
      // limits the queries that forged key ids cause
      if (known === undefined && clock.now() - loadedAt > RELOAD_EVERY_MS) await load();
      return keys.find((key) => key.kid === kid)?.publicKey;
    },
    async publish() {
      if (!isFresh(keys[0])) await load();
      if (!isFresh(keys[0])) await renew();
      return { keys: keys.map(({ publicJwk }) => publicJwk) };
    },
  };
}

async function makeKey(secrets: Secrets): Promise<Omit<store.StoredSigningKey, 'createdAt'>> {
  const pair = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  const kid = randomUUID();
  const named = { kid, alg: ALGORITHM, use: 'sig' };
  return {
    kid,
    sealedJwk: sealValue(
      secrets,
      'signingKey',
      kid,
      JSON.stringify({ ...(await exportJWK(pair.privateKey)), ...named }),
    ),
    publicJwk: { ...(await exportJWK(pair.publicKey)), ...named },
  };
}

async function readKey(key: store.StoredSigningKey, secrets: Secrets): Promise<Loaded> {
  const privateJwk = JSON.parse(openValue(secrets, 'signingKey', key.kid, key.sealedJwk)) as JWK;
  return {
    kid: key.kid,
    createdAt: key.createdAt,
    publicJwk: key.publicJwk,
    privateKey: (await importJWK(privateJwk, ALGORITHM)) as CryptoKey,
    publicKey: (await importJWK(key.publicJwk, ALGORITHM)) as CryptoKey,
  };
}
