import type pg from 'pg';
import { lookUpInBatches } from '../../../../platform/batcher.ts';
import { AppError } from '../../../../platform/errors.ts';
import { asAppError, transaction } from '../../../database/index.ts';
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
  /** required if the user has enabled one-time passwords */
  readonly otp?: string | undefined;
  /** name or id; see store.findLogin for logins without one */
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
  /** device cookie that identifies the client at its next login */
  readonly device: string;
}

export interface LoginService {
  /**
   * Verifies the credentials. Throws AppError `invalid-credentials`, `locked`, `rate-limited`, with the same answer
   * and timing for existing and unknown users; `otp-required` if only the one-time password is missing.
   */
  check(request: LoginRequest, client: LoginClient): Promise<Checked>;
  /** Verifies the credentials and begins a session. */
  login(request: LoginRequest, client: LoginClient): Promise<Omit<Checked, 'user'> & { readonly session: Session }>;
}

export interface LoginDeps {
  readonly pool: pg.Pool;
  readonly limits: LoginLimits;
  readonly sessions: Sessions;
  readonly devices: DeviceCookies;
  readonly otps: Pick<OneTimePasswords, 'check'>;
  readonly audit: Audit;
  /** tried first if the request has no tenant */
  readonly defaultTenant: string;
  /** the only user who can log in with a password; undefined: all can */
  readonly onlyPasswordOf?: (() => Promise<string | undefined>) | undefined;
}

/** in a flood, log-ins wait this long so that known clients are looked up in one query */
const LOOK_TOGETHER_MS = 200;

/** Tenant as typed in a form; undefined if empty. */
export const normaliseTenant = (typed: string | undefined): string | undefined =>
  typed?.trim().toLowerCase() || undefined;

export function createLoginService(deps: LoginDeps): LoginService {
  const { pool, limits, sessions, devices, otps, audit, defaultTenant, onlyPasswordOf } = deps;
  const isKnown = lookUpInBatches<true>(
    async (_, keys) => {
      const attempts = keys.map((key) => {
        const [tenant, name, place] = JSON.parse(key) as [string | null, string, string];
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
    const tenant = normaliseTenant(request.tenant);
    const place = hashAddress(caller.address);
    const named = accountOf(tenant ?? defaultTenant, name);
    const device = await devices.idOf(client.device, named);
    if (device === undefined) await limits.precheck(named, caller.address);
    const known = async (): Promise<boolean> =>
      (await isKnown(0, JSON.stringify([tenant ?? null, name, place.toString('hex')]))) !== undefined;
    if (device === undefined) await limits.requireComparisonSlot(known, named, caller.address);
    const user = await store.findLogin(pool, { tenant, defaultTenant, name }, place).catch((error) => {
      throw asAppError(error);
    });
    // counted by account, so that user name and e-mail address share one limit. A user of another tenant, found
    // without a tenant name, is limited like an unknown user: limits do not reveal the tenant, and equal user names
    // of two tenants share no limit
    const isOfNamedTenant = tenant !== undefined || user?.tenant === defaultTenant;
    const account = isOfNamedTenant && user !== undefined ? accountOf(tenant ?? defaultTenant, user.username) : named;
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
