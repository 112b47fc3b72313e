import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { request } from 'undici';
import { anchorFile, anchorWebhook, createApi, type ReadinessCheck, type WriteAnchors } from '../api/index.ts';
import { loadCatalogue } from '../catalogue/index.ts';
import type { CommandQueue } from '../dispatch/queue/index.ts';
import { createFeed, createShardLeases } from '../feed/index.ts';
import { createGeocoder } from '../geocoding/index.ts';
import { createBudgets } from '../platform/budgets/index.ts';
import { systemClock } from '../platform/clock.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { createMailer } from '../platform/mail.ts';
import { internalMetricsToken } from '../platform/metrics-access.ts';
import { createOutbound } from '../platform/outbound/index.ts';
import {
  type Database,
  type DatabaseOptions,
  isDatabaseAway,
  MigrationError,
  openDatabase,
  startPeers,
} from '../platform/postgres/index.ts';
import { openSecrets, SecretsError } from '../platform/secrets/index.ts';
import { type BackgroundStages, startStages, stopStages } from './background.ts';
import { onStop, reportReady } from './child.ts';
import { createFrameDecoder } from './decode-frame.ts';
import { startDispatch } from './dispatch.ts';
import { addHistoryMetrics, movesFrames, narrowPeriodically, openHistory, sealPeriodically } from './history.ts';
import { firstPasswordFile } from './keys.ts';
import { createNames } from './names.ts';
import { createNotifications } from './notifications.ts';
import { createPages } from './pages.ts';
import { addPoolMetrics, addProcessMetrics } from './process-metrics.ts';
import { createQueue, queuePreparation } from './queue.ts';
import { addReadinessMetric } from './readiness-metric.ts';
import { shownProtocols } from './shown-protocols.ts';
import { VERSION } from './version.ts';

const STATUS_TIMEOUT_MS = 2_000;
const LONGEST_PAUSE_MS = 5_000;

/** Runs the REST API until it is stopped: database, migrations, then the port. Throws ConfigError with what to do. */
export async function runApi(config: Config): Promise<void> {
  if (config.DATABASE_URL === undefined)
    throw new ConfigError(['DATABASE_URL: must be given where the API runs alone']);
  const log = createLog('api', config.LOG_LEVEL);
  const database = await openWhenThere({
    url: config.DATABASE_URL,
    readUrl: config.DATABASE_READ_URL,
    readMaxLagMs: 1_000 * config.DATABASE_READ_MAX_LAG_S,
    log,
    ...queuePreparation(config),
  });
  const history = openHistory(config, database, log);
  const gateway = config.GATEWAY_STATUS_URL;
  const secrets = openSecrets(config);
  const registry = new Registry();
  const peers = startPeers({ pool: database.ingest, listener: database.listener, monotonic: systemClock.monotonic });
  const { monotonic } = systemClock;
  const budgets = createBudgets({ pool: database.ingest, log, monotonic, peers });
  const dispatch = await startDispatch(database, log, config, registry, peers);
  const queue = createQueue(config, database, log);
  const feed = createFeed();
  const mailer = config.SMTP_URL === undefined ? undefined : createMailer(config.SMTP_URL, config.MAIL_FROM);
  const followers = ['rules', 'webhooks'];
  const shards = createShardLeases({ pool: database.ingest, log, peers, followers });
  const notifications = createNotifications({ config, database, secrets, feed, log, mailer, registry, shards });
  const extraChecks = async (): Promise<ReadinessCheck[]> =>
    (await Promise.all([queueChecks(queue), ...(gateway === undefined ? [] : [gatewayChecks(gateway)])])).flat();
  // the gateway beside this API writes its own checks
  addReadinessMetric(registry, async () =>
    (
      await Promise.all([
        databaseChecks(database),
        queueChecks(queue),
        ...(gateway === undefined ? [] : [gatewayAnswers(gateway)]),
      ])
    ).flat(),
  );
  addProcessMetrics(registry, { process: 'api', dataDir: config.DATA_DIR });
  addHistoryMetrics(registry, history, config);
  addPoolMetrics(registry, { app: database.app, ingest: database.ingest, streams: database.streams });
  const extraMetrics = gateway === undefined ? undefined : () => gatewayMetrics(gateway, config.INTERNAL_KEY);
  const geocoder = createGeocoder({ settings: config, clock: systemClock, log, agent: `fleetgate/${VERSION}` });
  const catalogue = await loadCatalogue();
  const api = await createApi({
    settings: config,
    history,
    movesFrames: movesFrames(config),
    budgets,
    shards,
    version: VERSION,
    clock: systemClock,
    log,
    database,
    secrets,
    commands: dispatch.commands,
    dispatcher: dispatch.dispatcher,
    knowledge: dispatch.knowledge,
    decodeFrame: createFrameDecoder(catalogue),
    protocols: shownProtocols(catalogue, config),
    nameElements: createNames(catalogue),
    registry,
    feed,
    notify: notifications.notifyFinding,
    backtest: notifications.backtest,
    addressesOf: geocoder.addressesOf,
    auditAnchors: auditAnchorsOf(config),
    firstRunKey: config.FIRST_RUN_KEY === undefined ? undefined : readFirstRunKey(config.FIRST_RUN_KEY),
    adminPassword: config.ADMIN_PASSWORD,
    firstPasswordFile: config.FIRST_RUN_KEY === undefined ? undefined : firstPasswordFile(config.DATA_DIR),
    sendMail: mailer === undefined ? undefined : (mail) => mailer.send(mail),
    pages: createPages({
      database,
      queue,
      messaging: notifications.messaging,
      streams: () => dispatch.engine.streams.gateways,
      checks: async () => [...(await databaseChecks(database)), ...(await extraChecks())],
      gatewayMetrics: extraMetrics,
      mapOrigins: [
        ...(config.MAP_TILES === undefined ? [] : [new URL(config.MAP_TILES).origin]),
        ...config.MAP_ORIGINS,
      ],
    }),
    extraChecks,
    ...(extraMetrics === undefined ? {} : { extraMetrics }),
  }).catch((error) => {
    throw error instanceof SecretsError ? new ConfigError([error.message]) : error;
  });
  const stages: BackgroundStages = [
    [{ stop: () => database.close() }],
    [{ stop: () => history.close() }, { stop: () => geocoder.close() }, { stop: () => mailer?.close() }, peers],
    // followers of the feed, in notifications and in the API, have to end before their shards are others'
    [shards],
    [dispatch.engine, budgets, queue, sealPeriodically(history, config, log), narrowPeriodically(history, config, log)],
    [notifications, { stop: () => api.close() }],
  ];
  onStop(() => stopStages(stages));
  startStages(stages);
  const url = await api.listen({ host: config.HOST, port: config.PORT });
  log.info({ url }, 'REST API is open');
  reportReady({ port: Number(new URL(url).port), listens: [{ what: 'REST API', where: url }] });
}

function auditAnchorsOf(config: Config): WriteAnchors[] {
  const { AUDIT_ANCHOR_URL: url } = config;
  const file = anchorFile(config.AUDIT_ANCHOR ?? join(config.DATA_DIR, 'audit-anchor.jsonl'));
  return url === undefined ? [file] : [file, anchorWebhook(url, createOutbound({ allowsPrivate: true }))];
}

/** Waits for a database that is not there yet: containers start in any order. */
async function openWhenThere(options: DatabaseOptions): Promise<Database> {
  for (let pauseMs = 200; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await openDatabase(options);
    } catch (error) {
      if (error instanceof MigrationError) throw new ConfigError([`DATABASE_URL: ${error.message}`]);
      if (!isDatabaseAway(error)) throw error;
      options.log.warn({ reason: (error as Error).message }, 'waiting for the database');
      await wait(pauseMs);
    }
  }
}

function readFirstRunKey(path: string): string {
  return (JSON.parse(readFileSync(path, 'utf8')) as { key: string }).key;
}

const databaseChecks = (database: Database): Promise<ReadinessCheck[]> =>
  database.check().then(
    () => [{ name: 'database', ok: true }],
    (error: Error) => [{ name: 'database', ok: false, detail: error.message }],
  );

/** Commands go on without the queue; whoever looks at it sees old news. */
const queueChecks = (queue: CommandQueue): Promise<readonly ReadinessCheck[]> =>
  queue.check().then(
    () => [{ name: 'queue', ok: true }],
    (error: Error) => [{ name: 'queue', ok: false, detail: error.message }],
  );

/** The gateway beside this API speaks through it: its checks are this one's. */
async function gatewayChecks(url: string): Promise<readonly ReadinessCheck[]> {
  try {
    const body = await read(`${url}/readyz`);
    const { checks } = JSON.parse(body) as { checks: ReadinessCheck[] };
    return checks.map((check) => ({ ...check, name: `gateway: ${check.name}` }));
  } catch (error) {
    return [{ name: 'gateway', ok: false, detail: (error as Error).message }];
  }
}

/** Whether the gateway beside this API answers at all. */
const gatewayAnswers = (url: string): Promise<readonly ReadinessCheck[]> =>
  read(`${url}/healthz`).then(
    () => [{ name: 'gateway', ok: true }],
    (error: Error) => [{ name: 'gateway', ok: false, detail: error.message }],
  );

const gatewayMetrics = (url: string, internalKey: string | undefined): Promise<string> =>
  read(
    `${url}/metrics`,
    internalKey === undefined ? {} : { authorization: `Bearer ${internalMetricsToken(internalKey)}` },
  );

async function read(url: string, headers: Record<string, string> = {}): Promise<string> {
  const { body } = await request(url, { headers, headersTimeout: STATUS_TIMEOUT_MS, bodyTimeout: STATUS_TIMEOUT_MS });
  return body.text();
}
