import type pg from 'pg';
import { lookUpInBatches } from '../../../platform/batcher.ts';
import { AppError } from '../../../platform/errors.ts';
import { asAppError, transaction } from '../../../platform/postgres/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { OneTimePasswords } from '../otp/service.ts';
import { passwordFits } from '../passwords.ts';
import type { Session, Sessions } from '../sessions/service.ts';
import type { DeviceCookies, LoginClient } from './client.ts';
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

interface Checked {
  readonly user: store.LoginRow;
  readonly budget: Budget | undefined;
  /** cookie by which the program is known the next time */
  readonly device: string;
}

export interface LoginService {
  /**
   * Who is it? Throws AppError `invalid-credentials`, `locked`, `rate-limited`: the same, and after as long, for a user
   * that there is and for one that there is not; and `otp-required` where all that is missing is a one-time password.
   */
  check(request: LoginRequest, client: LoginClient): Promise<Checked>;
  /** As check, and begins a session. */
  login(request: LoginRequest, client: LoginClient): Promise<Omit<Checked, 'user'> & { readonly session: Session }>;
}

export interface LoginDeps {
  readonly pool: pg.Pool;
  readonly limits: LoginLimits;
  readonly sessions: Sessions;
  readonly devices: DeviceCookies;
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
  const { pool, limits, sessions, devices, otps, audit, defaultTenant, onlyPasswordOf } = deps;
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
  const check: LoginService['check'] = async (request, client) => {
    const caller = { address: client.address, requestId: client.requestId };
    const name = request.username.trim().toLowerCase();
    const tenant = request.tenant ?? defaultTenant;
    const place = hashAddress(caller.address);
    const named = accountOf(tenant, name);
    const device = await devices.idOf(client.device, named);
    if (device === undefined) await limits.precheck(named, caller.address);
    const known = async (): Promise<boolean> =>
      (await isKnown(0, JSON.stringify([tenant, name, place.toString('hex')]))) !== undefined;
    if (device === undefined) await limits.requireComparisonSlot(known, named, caller.address);
    const user = await store.findLogin(pool, tenant, name, place).catch((error) => {
      throw asAppError(error);
    });
    // by the name of the account, so that a user name and an address are one
    const account = accountOf(tenant, user?.username ?? name);
    const isKnownUser = user !== undefined && (user.known || device !== undefined);
    const attempt = { account, address: caller.address, known: isKnownUser, device };
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
    return { user, budget, device: await devices.issue([account, named]) };
  };
  return {
    check,
    async login(request, client) {
      const { user, ...rest } = await check(request, client);
      return { session: await sessions.begin(user, request.device, client), ...rest };
    },
  };
}
