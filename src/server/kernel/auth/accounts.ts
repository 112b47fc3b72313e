import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Audit } from '../audit/index.ts';
import type { Budgets } from '../budgets/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { createDeviceCookies } from './login/client.ts';
import { createLoginLimits, type LoginLimits } from './login/limits.ts';
import { createLoginService, type LoginService } from './login/service.ts';
import { createOneTimePasswords, type OneTimePasswords } from './otp/service.ts';
import { createRecovery, type Recovery, type SendMail } from './recovery/service.ts';
import { createSessions, type Sessions } from './sessions/service.ts';
import { createSeal } from './single-sign-on/seal.ts';
import { createSingleSignOn, type SingleSignOn, type SingleSignOnRules } from './single-sign-on/service.ts';
import { readFirstAdmin } from './single-sign-on/store.ts';
import { type AccessTokens, createAccessTokens } from './tokens/access-tokens.ts';
import { createSigningKeys, type SigningKeys } from './tokens/signing-keys.ts';

export interface AccountsDeps {
  readonly pool: pg.Pool;
  readonly budgets: Budgets;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Audit;
  readonly sendMail: SendMail | undefined;
  readonly apiKey: string | undefined;
  /** the operator's tenant: default of log-ins without a tenant, and the tenant of API_KEY */
  readonly ownTenant: string;
  readonly ownTenantId: number;
  readonly limitAddresses: boolean;
  readonly singleSignOn: SingleSignOnRules | undefined;
  /** master key of the installation; other keys are derived from it */
  readonly key: KeyObject;
  /** the setting PASSWORD_LOGIN */
  readonly passwordLogin: boolean;
  /** drops the cached tokens of this session, key or user */
  readonly forget: (id: string) => void;
}

export interface Accounts {
  readonly keys: SigningKeys;
  readonly tokens: AccessTokens;
  readonly limits: LoginLimits;
  readonly sessions: Sessions;
  readonly otps: OneTimePasswords;
  readonly logins: LoginService;
  readonly exchange: Exchange;
  readonly recovery: Recovery;
  readonly singleSignOn: SingleSignOn | undefined;
}

/** The services that exchange passwords and keys for tokens. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { pool, secrets, clock, audit, ownTenantId, forget, ownTenant: defaultTenant } = deps;
  const keys = createSigningKeys(pool, clock, secrets);
  const tokens = createAccessTokens({ keys, pool, clock, ownTenantId, apiKey: deps.apiKey });
  const limits = createLoginLimits(pool, deps.budgets, { perAddress: deps.limitAddresses });
  const sessions = createSessions({ pool, tokens, clock, ownTenantId, forget });
  const otps = createOneTimePasswords({ pool, clock, secrets });
  const onlyPasswordOf = deps.passwordLogin ? undefined : () => readFirstAdmin(pool, ownTenantId);
  const devices = createDeviceCookies(createSeal(deps.key, 'login device', clock));
  return {
    keys,
    otps,
    tokens,
    limits,
    sessions,
    logins: createLoginService({ pool, limits, sessions, devices, otps, audit, defaultTenant, onlyPasswordOf }),
    singleSignOn:
      deps.singleSignOn === undefined
        ? undefined
        : createSingleSignOn(deps.singleSignOn, { pool, clock, log: deps.log, audit, sessions, forget, key: deps.key }),
    exchange: createExchange({ pool, tokens, audit, clock, apiKey: deps.apiKey, ownTenantId }),
    recovery: createRecovery({
      pool,
      budgets: deps.budgets,
      clock,
      log: deps.log,
      audit,
      sendMail: deps.sendMail,
      forget,
      defaultTenant,
    }),
  };
}
