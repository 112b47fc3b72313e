import { randomBytes } from 'node:crypto';
import type { Budgets } from '../../platform/budgets/index.ts';
import { mapTypeOf } from '../../platform/place-settings.ts';
import { type Credentials, SCOPES } from '../access/index.ts';
import { addAppRoutes } from '../app/index.ts';
import { type Audit, addAuditHook, addAuditRoutes, createAudit } from '../audit/index.ts';
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
} from '../auth/index.ts';
import { type App, type Cursors, createCursors } from '../http/index.ts';
import { countNotifications } from '../notifications/index.ts';
import type { ApiDeps } from './deps.ts';
import { singleSignOnOf } from './single-sign-on.ts';

/** Tenant of the operator: API_KEY, the first run's key and user `admin` belong to it. */
export const OWN_TENANT = 'default';

/** Who may call, and what is written down of it. */
export interface Identity {
  readonly ownTenantId: number;
  readonly credentials: Credentials;
  readonly tokens: InternalTokens;
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly cursors: Cursors;
  /** this process forgets at once whatever stands on a session, key or user of this id; others hear of it */
  forget(id: string): void;
  close(): Promise<void>;
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
  const cursors = createCursors(derive(secret, 'fleetgate cursor'));
  const tokens = createInternalTokens(settings.INTERNAL_KEY, clock);
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
    passwordLogin: settings.PASSWORD_LOGIN ?? true,
    ownTenant: OWN_TENANT,
    limitAddresses: settings.limitsLogins ?? true,
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
  const close = async (): Promise<void> => {
    await accounts.recovery.close();
    await audit.stop();
  };
  return { ownTenantId, credentials, tokens, accounts, audit, cursors, forget, close };
}

export async function addIdentityRoutes(app: App, identity: Identity, deps: ApiDeps): Promise<void> {
  const { accounts, audit, credentials, tokens } = identity;
  addAuditHook(app, audit);
  addAuthRoutes(app, tokens);
  await addSignInRoutes(app, accounts);
  const loginPages = createLoginPages({ accounts, credentials, pool: deps.database.ingest });
  addLoginPageRoutes(app, loginPages);
  const passwordLogin = deps.settings.PASSWORD_LOGIN ?? true;
  addSingleSignOnRoutes(app, { singleSignOn: accounts.singleSignOn, loginPages, passwordLogin });
  addAppRoutes(app, {
    ...accounts,
    pool: deps.database.app,
    version: deps.version,
    recoverySends: deps.sendMail !== undefined,
    minimumBuild: deps.settings.APP_MINIMUM_BUILD ?? 0,
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
