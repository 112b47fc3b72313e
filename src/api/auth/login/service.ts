import type pg from 'pg';
import { lookUpInBatches } from '../../../platform/batcher.ts';
import { AppError } from '../../../platform/errors.ts';
import { asAppError, transaction } from '../../../platform/postgres/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { OneTimePasswords } from '../otp/service.ts';
import { passwordFits } from '../passwords.ts';
import type { Session, Sessions } from '../sessions/service.ts';
import { accountOf, type Budget, hashAddress, type LoginLimits } from './limits.ts';
import * as store from './store.ts';

export interface LoginRequest {
  readonly username: string;
  readonly password: string;
  /** where the user has asked for one-time passwords */
  readonly otp?: string | undefined;
  readonly tenant?: string | undefined;
  readonly device?: { readonly id: string } | undefined;
}

export interface Caller {
  readonly address: string;
  readonly requestId: string;
}

export interface LoginService {
  /**
   * Who is it? Throws AppError `invalid-credentials`, `locked`, `rate-limited`: the same, and after as long, for a user
   * that there is and for one that there is not; and `otp-required` where all that is missing is a one-time password.
   */
  check(request: LoginRequest, caller: Caller): Promise<{ user: store.LoginRow; budget: Budget | undefined }>;
  /** As check, and begins a session. */
  login(request: LoginRequest, caller: Caller): Promise<{ session: Session; budget: Budget | undefined }>;
}

export interface LoginDeps {
  readonly pool: pg.Pool;
  readonly limits: LoginLimits;
  readonly sessions: Sessions;
  readonly otps: Pick<OneTimePasswords, 'check'>;
  readonly audit: Audit;
  /** tenant of those who name none */
  readonly defaultTenant: string;
  /** the only user who logs in with a password; without it all */
  readonly onlyPasswordOf?: (() => Promise<string | undefined>) | undefined;
}

/** that log-ins wait for each other in a flood, so that known clients are looked up in batches */
const LOOK_TOGETHER_MS = 200;

export function createLoginService(deps: LoginDeps): LoginService {
  const { pool, limits, sessions, otps, audit, defaultTenant, onlyPasswordOf } = deps;
  const isKnown = lookUpInBatches<true>(
    async (_, keys) => {
      const attempts = keys.map((key) => {
        const [tenant, name, place] = JSON.parse(key) as [string, string, string];
        return { tenant, name, place: Buffer.from(place, 'hex') };
      });
      const found = await store.findKnown(pool, attempts).catch((error) => {
        throw asAppError(error);
      });
      return new Map(found.map((n) => [keys[n]!, true] as const));
    },
    { waitMs: LOOK_TOGETHER_MS, inFlight: 2 },
  );
  const check: LoginService['check'] = async (request, caller) => {
    const name = request.username.trim().toLowerCase();
    const tenant = request.tenant ?? defaultTenant;
    const place = hashAddress(caller.address);
    await limits.precheck(accountOf(tenant, name), caller.address);
    const known = async (): Promise<boolean> =>
      (await isKnown(0, JSON.stringify([tenant, name, place.toString('hex')]))) !== undefined;
    await limits.requireComparisonSlot(known, accountOf(tenant, name), caller.address);
    const user = await store.findLogin(pool, tenant, name, place).catch((error) => {
      throw asAppError(error);
    });
    // by the name of the account, so that a user name and an address are one
    const account = accountOf(tenant, user?.username ?? name);
    const attempt = { account, address: caller.address, known: user?.known ?? false };
    const budget = await limits.enter(attempt);
    const isAllowed = onlyPasswordOf === undefined || (await onlyPasswordOf()) === user?.id;
    const hash = user?.active === true && isAllowed ? user.passwordHash : undefined;
    const fits = await passwordFits(request.password, hash);
    const otp = user !== undefined && fits ? await otps.check(user.id, request.otp) : 'none';
    if (otp === 'missing') throw new AppError('otp-required');
    if (user === undefined || !fits || otp === 'wrong') {
      const { locked } = await limits.failed(attempt);
      if (user !== undefined) {
        const action = locked ? 'login.locked' : 'login.failed';
        await audit.write({ tenantId: user.tenantId, actor: user.id, action, object: user.id, ...caller });
      }
      throw new AppError('invalid-credentials');
    }
    await limits.succeeded(attempt);
    await transaction(pool, (tx) => store.recordLogin(tx, user, place));
    await audit.write({ tenantId: user.tenantId, actor: user.id, action: 'login', object: user.id, ...caller });
    return { user, budget };
  };
  return {
    check,
    async login(request, caller) {
      const { user, budget } = await check(request, caller);
      return { session: await sessions.begin(user, request.device), budget };
    },
  };
}
