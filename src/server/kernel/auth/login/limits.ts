import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../../../platform/errors.ts';
import { asAppError } from '../../../database/index.ts';
import type { Budgets, Count, Budget as SharedBudget } from '../../budgets/index.ts';

/** Log-ins per minute of one address, failed or not. */
const ADDRESS_PER_MINUTE = 60;
/** Failures of one account from one address until this pair is locked. */
const PAIR_FAILURES = 5;
const PAIR_WINDOW_S = 900;
/** Wrong passwords or one-time passwords of a logged-in user until further ones are refused. */
const OWN_FAILURES = 5;
/** Failures of one account from unknown addresses until all unknown addresses are locked for it. */
const UNKNOWN_CLIENT_FAILURES = 100;
/**
 * Wrong passwords per minute of one address for accounts that it has never logged in to, so that one address does not
 * use up the comparisons of all unknown clients.
 */
const ADDRESS_UNKNOWN_CLIENT_FAILURES = 10;
/**
 * Wrong passwords of unknown clients are compared at one per this interval, with a burst per minute: a comparison
 * takes tens of ms of a core, which ingest needs. Correct passwords are not counted.
 */
const UNKNOWN_CLIENT_COMPARISON_INTERVAL_S = 2;
const STRANGE_FAILURES_AT_ONCE = 10;
const MAX_REFUSED_PAIRS = 10_000;

export interface Attempt {
  readonly account: string;
  readonly address: string;
  /** the account has logged in from this address, or by this client, before */
  readonly known: boolean;
  /** id of the client if it has logged in to the account before: its failures are counted separately */
  readonly device?: string | undefined;
}

/** Values of the rate limit headers. */
export interface Budget {
  readonly limit: number;
  readonly remaining: number;
  readonly resetS: number;
}

export interface LoginLimits {
  /**
   * Refuses a recently refused pair without a query, so that a flood from one address is cheap. Throws AppError
   * `rate-limited`.
   */
  precheck(account: string, address: string): Promise<void>;
  /**
   * If the comparisons of unknown clients are used up, in all or for this address, admits known clients only. They
   * are looked up in batches, so that a flood costs few statements. Throws AppError `rate-limited` for an unknown
   * client.
   */
  requireComparisonSlot(isKnown: () => Promise<boolean>, account: string, address: string): Promise<void>;
  /** Throws AppError `locked` or `rate-limited`. */
  enter(attempt: Attempt): Promise<Budget | undefined>;
  failed(attempt: Attempt): Promise<{ locked: boolean }>;
  succeeded(attempt: Attempt): Promise<void>;
  /**
   * Runs a check of a password or one-time password of a logged-in user. Failures are limited, so that the holder of
   * a stolen session cannot guess secrets, and do not lock the log-in. Throws AppError `locked`, and the errors of
   * `work`.
   */
  guard<T>(userId: string, work: () => Promise<T>): Promise<T>;
}

/** Hash of an IPv4 address or an IPv6 /64 network; hashed because addresses are personal data. */
export function hashAddress(address: string): Buffer {
  return createHash('sha256')
    .update(`place ${networkOf(address)}`)
    .digest()
    .subarray(0, 16);
}

function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [head = '', tail = ''] = address.split('::');
  const first = head.split(':').filter(Boolean);
  const last = tail.split(':').filter(Boolean);
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

export const accountOf = (tenant: string, name: string): string =>
  createHash('sha256')
    .update(JSON.stringify([tenant, name]))
    .digest('base64url')
    .slice(0, 24);

/**
 * Limits log-ins by account and address so that no client can lock out another: failures of unknown clients lock the
 * account for unknown clients only, and failures of other clients at the same address do not lock a known client.
 * Bearer credentials are not limited here.
 */
export function createLoginLimits(
  pool: pg.Pool,
  budgets: Budgets,
  options: { readonly perAddress: boolean },
): LoginLimits {
  const stored = { storeClient: pool, storeType: 'pool', schemaName: 'fleetgate', tableName: 'login_failure' };
  const quiet = { ...stored, tableCreated: true, clearExpiredByTimeout: false };
  const pairs = new RateLimiterPostgres({
    ...quiet,
    keyPrefix: 'pair',
    points: PAIR_FAILURES,
    duration: PAIR_WINDOW_S,
    blockDuration: PAIR_WINDOW_S,
  });
  const unknownClients = new RateLimiterPostgres({
    ...quiet,
    keyPrefix: 'unknown-clients',
    points: UNKNOWN_CLIENT_FAILURES,
    duration: PAIR_WINDOW_S,
  });
  const ownSecrets = new RateLimiterPostgres({
    ...quiet,
    keyPrefix: 'own',
    points: OWN_FAILURES,
    duration: PAIR_WINDOW_S,
    blockDuration: PAIR_WINDOW_S,
  });
  const windowMs = 60_000;
  const addresses = budgets.create({ name: 'login-address', points: ADDRESS_PER_MINUTE, windowMs });
  const strangeAddresses = budgets.create({ name: 'login-strange', points: ADDRESS_UNKNOWN_CLIENT_FAILURES, windowMs });
  const comparisons = createComparisonLimit();
  const isSpent = (address: string): AppError | undefined => refusalFor(address, [addresses, strangeAddresses]);
  const pairKey = ({ account, address, device }: Attempt): string =>
    device === undefined ? `${account}.${hashAddress(address).toString('base64url')}` : `${account}.device.${device}`;
  // cache of refused pairs of account and address; cleared as a whole when full
  const refused = new Set<string>();
  const remember = (pair: string): void => {
    if (refused.size >= MAX_REFUSED_PAIRS) refused.clear();
    refused.add(pair);
  };
  return {
    async precheck(account, address) {
      if (!options.perAddress || !refused.has(pairKey({ account, address, known: false }))) return;
      const refusal = isSpent(address);
      if (refusal !== undefined) throw refusal;
      refused.clear();
    },
    async requireComparisonSlot(isKnown, account, address) {
      if (!options.perAddress) return;
      const spent = isSpent(address);
      const refusal = spent ?? (await comparisons.check());
      if (refusal === undefined || (await isKnown())) return;
      if (spent !== undefined) remember(pairKey({ account, address, known: false }));
      await take(addresses, hashAddress(address).toString('hex'), true);
      throw refusal;
    },
    async enter(attempt) {
      const budget = await take(addresses, hashAddress(attempt.address).toString('hex'), options.perAddress);
      if (budget instanceof AppError && !attempt.known) {
        remember(pairKey(attempt));
        throw budget;
      }
      const [pair, wide] = await Promise.all([
        read(() => pairs.get(pairKey(attempt))),
        attempt.known ? null : read(() => unknownClients.get(attempt.account)),
      ]);
      if (pair !== null && pair.consumedPoints >= PAIR_FAILURES) throw locked(pair);
      if (wide !== null && wide.consumedPoints >= UNKNOWN_CLIENT_FAILURES) throw locked(wide);
      if (!attempt.known && options.perAddress) {
        const own = await take(strangeAddresses, hashAddress(attempt.address).toString('hex'), true);
        if (own instanceof AppError) throw own;
        await comparisons.take();
      }
      return budget instanceof AppError ? undefined : budget;
    },
    async failed(attempt) {
      const points = await Promise.all([
        count(pairs, pairKey(attempt)),
        attempt.known ? 0 : count(unknownClients, attempt.account),
      ]);
      return { locked: points[0] === PAIR_FAILURES || points[1] === UNKNOWN_CLIENT_FAILURES };
    },
    succeeded: async (attempt) => {
      refused.clear();
      if (!attempt.known && options.perAddress) {
        strangeAddresses.giveBack(hashAddress(attempt.address).toString('hex'));
        await comparisons.giveBack();
      }
      await read(() => pairs.delete(pairKey(attempt)));
    },
    async guard(userId, work) {
      const known = await read(() => ownSecrets.get(userId));
      if (known !== null && known.consumedPoints >= OWN_FAILURES) throw locked(known);
      try {
        const result = await work();
        await read(() => ownSecrets.delete(userId));
        return result;
      } catch (error) {
        if (error instanceof AppError && error.code === 'invalid-credentials') await count(ownSecrets, userId);
        throw error;
      }
    },
  };
}

/** The error if this address has used up one of the budgets. */
function refusalFor(address: string, budgets: readonly SharedBudget[]): AppError | undefined {
  const hashed = hashAddress(address).toString('hex');
  for (const budget of budgets) {
    const used = budget.get(hashed);
    if (used !== undefined && used.points >= budget.options.points) return tooMany(used.leftMs);
  }
  return undefined;
}

/** Limits the password comparisons for unknown clients in this process, whose CPU time they use. */
function createComparisonLimit() {
  const steady = new RateLimiterMemory({ points: 1, duration: UNKNOWN_CLIENT_COMPARISON_INTERVAL_S });
  const atOnce = new RateLimiterMemory({ points: STRANGE_FAILURES_AT_ONCE, duration: 60 });
  const all = 'all';
  return {
    /** Undefined if a comparison is available. */
    async check(): Promise<AppError | undefined> {
      const [now, more] = await Promise.all([steady.get(all), atOnce.get(all)]);
      if (now === null || now.remainingPoints > 0 || more === null || more.remainingPoints > 0) return undefined;
      return tooMany(now.msBeforeNext);
    },
    /** Throws AppError `rate-limited`. */
    async take(): Promise<void> {
      const taken = await steady.consume(all).catch(refusalOf);
      if (!(taken instanceof AppError)) return;
      const extra = await atOnce.consume(all).catch(refusalOf);
      if (extra instanceof AppError) throw extra;
    },
    giveBack: (): Promise<unknown> => atOnce.reward(all),
  };
}

async function read<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asAppError(error);
  }
}

async function count(limiter: RateLimiterPostgres, key: string): Promise<number> {
  try {
    return (await limiter.consume(key)).consumedPoints;
  } catch (error) {
    if (error instanceof RateLimiterRes) return error.consumedPoints;
    throw asAppError(error);
  }
}

async function take(budget: SharedBudget, key: string, isOn: boolean): Promise<Budget | AppError | undefined> {
  if (!isOn) return undefined;
  const limit = budget.options.points;
  const { points, leftMs }: Count = await budget.addShared(key);
  if (points > limit) return tooMany(leftMs);
  return { limit, remaining: limit - points, resetS: Math.ceil(leftMs / 1000) };
}

const refusalOf = (error: unknown): AppError => {
  if (!(error instanceof RateLimiterRes)) throw error;
  return tooMany(error.msBeforeNext);
};

const tooMany = (leftMs: number): AppError => {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return new AppError('rate-limited', `Try again in ${seconds} seconds`, [], seconds);
};

const locked = ({ msBeforeNext }: RateLimiterRes): AppError => {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new AppError('locked', `Try again in ${seconds} seconds`, [], seconds);
};
