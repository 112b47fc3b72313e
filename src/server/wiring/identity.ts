import { type KeyObject, randomBytes } from 'node:crypto';
import type { Job } from '../../platform/jobs.ts';
import { countNotifications } from '../alerts/notifications/index.ts';
import { type Credentials, SCOPES } from '../kernel/access/index.ts';
import { addAppRoutes, mapTypeOf } from '../kernel/app/index.ts';
import { type Audit, addAuditHook, addAuditRoutes, createAudit } from '../kernel/audit/index.ts';
import {
  type Accounts,
  addAuthRoutes,
  addLoginPageRoutes,
  addSignInRoutes,
  addSingleSignOnRoutes,
  createAccounts,
  createCredentials,
  createInternalTokens,
  createLoginPages,
  derive,
  ensureAdmin,
  ensureKey,
  FORGET,
  type InternalTokens,
  watchFirstPassword,
} from '../kernel/auth/index.ts';
import type { Budgets } from '../kernel/budgets/index.ts';
import { type App, type Cursors, createCursors } from '../kernel/http/index.ts';
import type { ApiDeps } from './deps.ts';
import { singleSignOnOf } from './single-sign-on.ts';

/** Tenant of the operator: API_KEY, the first run's key and user `admin` belong to it. */
export const OWN_TENANT = 'default';

/** Authentication, permissions and the audit trail. */
export interface Identity {
  readonly ownTenantId: number;
  readonly credentials: Credentials;
  readonly tokens: InternalTokens;
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly cursors: Cursors;
  /** drops cached entries of the session, key or user with this id, and notifies other processes */
  forget(id: string): void;
  readonly jobs: readonly Job[];
}

export async function createIdentity(deps: ApiDeps & { readonly budgets: Budgets }): Promise<Identity> {
  const { settings, database, clock, log } = deps;
  const { ingest: pool, listener } = database;
  const ownTenantId = await database.tenantId(OWN_TENANT);
  if (deps.firstRunKey !== undefined) {
    await ensureKey(pool, deps.firstRunKey, { tenantId: ownTenantId, name: 'first run', scopes: SCOPES });
  }
  if (deps.adminPassword !== undefined) await ensureAdmin(pool, ownTenantId, deps.adminPassword);
  if (deps.firstPasswordFile !== undefined) await watchFirstPassword(deps.firstPasswordFile, { pool, listener, log });
  const secret = settings.INTERNAL_KEY ?? randomBytes(32).toString('hex');
  const others = [settings.INTERNAL_KEY_NEXT, settings.INTERNAL_KEY_PREVIOUS].filter((key) => key !== undefined);
  const cursorKey = (key: string): KeyObject => derive(key, 'fleetgate cursor');
  const cursors = createCursors([cursorKey(secret), ...others.map(cursorKey)]);
  const tokens = createInternalTokens(
    settings.INTERNAL_KEY === undefined ? [] : [settings.INTERNAL_KEY, ...others],
    clock,
  );
  const audit = createAudit({
    pools: database,
    cursors,
    clock,
    log,
    secrets: deps.secrets,
    anchors: deps.auditAnchors ?? [],
  });
  const apiKey = settings.API_KEY;
  const forget = (id: string): void => listener.notify(FORGET, id);
  const accounts = createAccounts({
    pool,
    budgets: deps.budgets,
    secrets: deps.secrets,
    clock,
    log,
    audit,
    apiKey,
    ownTenantId,
    forget,
    sendMail: deps.sendMail,
    key: derive(secret, 'fleetgate single sign-on'),
    singleSignOn: singleSignOnOf(settings),
    passwordLogin: settings.PASSWORD_LOGIN,
    ownTenant: OWN_TENANT,
    limitAddresses: deps.limitsLogins ?? true,
  });
  const credentials = createCredentials({
    apiKey,
    tokens,
    pool,
    listener,
    clock,
    apiKeyTenantId: ownTenantId,
    accessTokens: accounts.tokens,
  });
  const jobs = [audit, { stop: () => accounts.recovery.close() }];
  return { ownTenantId, credentials, tokens, accounts, audit, cursors, forget, jobs };
}

export async function addIdentityRoutes(app: App, identity: Identity, deps: ApiDeps): Promise<void> {
  const { accounts, audit, credentials, tokens } = identity;
  addAuditHook(app, audit);
  addAuthRoutes(app, tokens);
  await addSignInRoutes(app, accounts);
  const loginPages = createLoginPages({ accounts, credentials, pool: deps.database.ingest });
  addLoginPageRoutes(app, loginPages);
  const passwordLogin = deps.settings.PASSWORD_LOGIN;
  addSingleSignOnRoutes(app, { singleSignOn: accounts.singleSignOn, loginPages, passwordLogin });
  addAppRoutes(app, {
    ...accounts,
    pool: deps.database.app,
    version: deps.version,
    recoverySends: deps.sendMail !== undefined,
    minimumBuild: deps.settings.APP_MINIMUM_BUILD,
    map:
      deps.settings.MAP_TILES === undefined
        ? undefined
        : {
            type: mapTypeOf(deps.settings.MAP_TILES),
            tiles: deps.settings.MAP_TILES,
            attribution: deps.settings.MAP_ATTRIBUTION ?? '',
          },
    badge: async (tenantId, userId) => (await countNotifications(deps.database.app, tenantId, userId)).badge,
  });
  addAuditRoutes(app, audit);
}
