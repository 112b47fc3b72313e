import type { Registry } from 'prom-client';
import type { CertificateFiles } from '../../platform/certificate-files.ts';
import type { Job } from '../../platform/jobs.ts';
import { type Check, checked } from '../../platform/readiness.ts';
import type { Database } from '../database/index.ts';
import type { Credentials } from '../kernel/access/index.ts';
import type { Budgets } from '../kernel/budgets/index.ts';
import { type App, createServer } from '../kernel/http/index.ts';
import type { Usage } from '../kernel/usage/index.ts';
import type { ApiSettings } from '../settings.ts';
import type { ApiDeps } from './deps.ts';

/** time for running requests to finish when the server closes, ms */
const CLOSE_TIMEOUT_MS = 700;
/** the database must answer a check of readiness within this time, ms; probes give up after a few seconds */
const CHECK_TIMEOUT_MS = 2_000;

export interface ServerDeps extends ApiDeps {
  readonly credentials: Credentials;
  readonly budgets: Budgets;
  readonly usage: Usage;
  readonly registry: Registry;
}

/** The HTTP server with its health and metrics pages, without routes. */
export function createApp({ settings, log, database, usage, ...deps }: ServerDeps): Promise<App> {
  return createServer({
    log,
    credentials: deps.credentials,
    onCaller: usage.countRequest,
    trustProxy: settings.TRUST_PROXY,
    rateLimit: settings.RATE_LIMIT,
    budgets: deps.budgets,
    requestTimeoutMs: 1_000 * settings.REQUEST_TIMEOUT_S,
    version: deps.version,
    tls: certificateOf(settings),
    pages: {
      checks: () => readiness(database, deps.extraChecks),
      registry: deps.registry,
      extraMetrics: deps.extraMetrics,
      metricsTokens: settings.metricsPublic ? 'public' : staticTokens(settings),
      log,
    },
  });
}

/** Job whose stop waits for the running requests. */
export const requestsOf = (app: App): Job => ({
  async stop() {
    const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
    await app.close();
    clearTimeout(cut);
  },
});

const certificateOf = ({ API_TLS_CERT: cert, API_TLS_KEY: key }: ApiSettings): CertificateFiles | undefined =>
  cert === undefined || key === undefined ? undefined : { cert, key };

/** Credentials of the settings: metrics are read with them also while the database is away. */
const staticTokens = ({ METRICS_TOKEN, API_KEY }: ApiSettings): readonly string[] =>
  [METRICS_TOKEN, API_KEY].filter((token) => token !== undefined);

export const databaseCheck = (database: Database): Promise<Check> =>
  checked(
    { name: 'database', refused: 'every request; gateways keep positions in their spools' },
    () => database.check(),
    CHECK_TIMEOUT_MS,
  );

async function readiness(database: Database, extra: ApiDeps['extraChecks']): Promise<readonly Check[]> {
  return (await Promise.all([databaseCheck(database), extra?.() ?? []])).flat();
}
