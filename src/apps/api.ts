import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { request } from 'undici';
import { loadCatalogue } from '../codec/catalogue/index.ts';
import { doublingMs } from '../platform/backoff.ts';
import { systemClock } from '../platform/clock.ts';
import { type JobStages, startJobs, stopJobs } from '../platform/jobs.ts';
import { createLog } from '../platform/log.ts';
import { createMailer } from '../platform/mail.ts';
import { internalMetricsToken } from '../platform/metrics-access.ts';
import { type Check, checked } from '../platform/readiness.ts';
import { createSamples } from '../platform/samples.ts';
import type { CommandQueue } from '../server/commands/dispatch/queue/index.ts';
import {
  type Database,
  type DatabaseOptions,
  isDatabaseAway,
  MigrationError,
  openDatabase,
  startPeers,
} from '../server/database/index.ts';
import { anchorFile, anchorWebhook, createApi, databaseCheck, type WriteAnchors } from '../server/index.ts';
import { createFeed, createShardLeases } from '../server/ingest/feed/index.ts';
import { createBudgets } from '../server/kernel/budgets/index.ts';
import { createOutbound } from '../server/kernel/outbound/index.ts';
import { openSecrets, SecretsError } from '../server/kernel/secrets/index.ts';
import { createGeocoder } from '../server/movement/places/index.ts';
import { hurried, onStop, reportReady } from './child.ts';
import { type Config, ConfigError } from './config.ts';
import { createFrameDecoder } from './decode-frame.ts';
import { startDispatch } from './dispatch.ts';
import { addHistoryMetrics, movesFrames, narrowPeriodically, openHistory, sealPeriodically } from './history.ts';
import { firstPasswordFile } from './keys.ts';
import { addLeftRecordsMetric } from './left-records-metric.ts';
import { createNames } from './names.ts';
import { createNotifications } from './notifications.ts';
import { createPages } from './pages.ts';
import { addCertificateMetrics, addPoolMetrics, addProcessMetrics } from './process-metrics.ts';
import { createQueue, queuePreparation } from './queue.ts';
import { addReadinessMetric } from './readiness-metric.ts';
import { shownProtocols } from './shown-protocols.ts';
import { VERSION } from './version.ts';

const STATUS_TIMEOUT_MS = 2_000;
const MIN_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;

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
  // before all that reads the database: a scrape does not count its own reads
  addPoolMetrics(registry, { app: database.app, ingest: database.ingest, streams: database.streams });
  const samples = createSamples(systemClock);
  const peers = startPeers({ pool: database.ingest, listener: database.listener, monotonic: systemClock.monotonic });
  const { monotonic } = systemClock;
  const budgets = createBudgets({ pool: database.ingest, log, monotonic, peers });
  const dispatch = await startDispatch(database, log, config, registry, peers, samples);
  const queue = createQueue(config, database, log);
  const feed = createFeed();
  const mailer = config.SMTP_URL === undefined ? undefined : createMailer(config.SMTP_URL, config.MAIL_FROM);
  const followers = ['rules', 'webhooks', 'reported'];
  const shards = createShardLeases({ pool: database.ingest, log, peers, followers });
  const notifications = createNotifications({
    config,
    database,
    secrets,
    feed,
    log,
    mailer,
    registry,
    samples,
    shards,
  });
  let isStopping = false;
  const extraChecks = async (): Promise<Check[]> => [
    { name: 'running', ok: !isStopping },
    ...(await Promise.all([queueCheck(queue), gateway === undefined ? [] : gatewayChecks(gateway)])).flat(),
  ];
  // the gateway beside this API writes its own checks
  addReadinessMetric(registry, () =>
    Promise.all([
      databaseCheck(database),
      queueCheck(queue),
      ...(gateway === undefined ? [] : [gatewayAnswers(gateway)]),
    ]),
  );
  addProcessMetrics(registry, { process: 'api', dataDir: config.DATA_DIR });
  addCertificateMetrics(registry, { API_TLS_CERT: config.API_TLS_CERT });
  addHistoryMetrics(registry, history, config, samples);
  addLeftRecordsMetric(registry, database, samples);
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
    samples,
    feed,
    notify: notifications.notifyFinding,
    backtest: notifications.backtest,
    addressesOf: geocoder.addressesOf,
    searchAddress: geocoder.searchAddress,
    auditAnchors: auditAnchorsOf(config),
    firstRunKey: config.FIRST_RUN_KEY === undefined ? undefined : readFirstRunKey(config.FIRST_RUN_KEY),
    adminPassword: config.ADMIN_PASSWORD,
    firstPasswordFile: firstPasswordFile(config.DATA_DIR),
    sendMail: mailer === undefined ? undefined : (mail) => mailer.send(mail),
    pages: createPages({
      database,
      queue,
      messaging: notifications.messaging,
      streams: () => dispatch.engine.streams.gateways,
      checks: async () => [await databaseCheck(database), ...(await extraChecks())],
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
  const stages: JobStages = [
    [{ stop: () => database.close() }],
    [{ stop: () => history.close() }, { stop: () => geocoder.close() }, { stop: () => mailer?.close() }, peers],
    // followers of the feed must stop before other processes take over their shards
    [shards],
    [dispatch.engine, budgets, queue, sealPeriodically(history, config, log), narrowPeriodically(history, config, log)],
    [notifications, { stop: () => api.close() }],
  ];
  onStop(async () => {
    const began = monotonic();
    isStopping = true;
    log.info({ noticeS: config.DRAIN_NOTICE_S }, 'stopping: not ready any longer');
    await hurried(config.DRAIN_NOTICE_S * 1000);
    await stopJobs(stages);
    log.info({ seconds: Math.round(monotonic() - began) / 1000 }, 'API stopped');
  });
  startJobs(stages);
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
  for (let failures = 1; ; failures++) {
    try {
      return await openDatabase(options);
    } catch (error) {
      if (error instanceof MigrationError) throw new ConfigError([`DATABASE_URL: ${error.message}`]);
      if (!isDatabaseAway(error)) throw error;
      options.log.warn({ reason: (error as Error).message }, 'waiting for the database');
      await wait(doublingMs(failures, MIN_PAUSE_MS, MAX_PAUSE_MS));
    }
  }
}

function readFirstRunKey(path: string): string {
  return (JSON.parse(readFileSync(path, 'utf8')) as { key: string }).key;
}

/** Commands work without the queue; only the dashboard shows old data. */
const queueCheck = (queue: CommandQueue): Promise<Check> =>
  checked(
    { name: 'queue', required: false, refused: 'nothing; the queue board shows old data, commands are delivered' },
    () => queue.check(),
    STATUS_TIMEOUT_MS,
  );

/** The gateway beside this API speaks through it: its checks are this one's. */
async function gatewayChecks(url: string): Promise<Check[]> {
  try {
    const body = await read(`${url}/readyz`);
    const { checks } = JSON.parse(body) as { checks: Check[] };
    return checks.map((check) => ({ ...check, name: `gateway: ${check.name}` }));
  } catch (error) {
    return [{ name: 'gateway', ok: false, detail: (error as Error).message }];
  }
}

/** True if the gateway beside this API answers. */
const gatewayAnswers = (url: string): Promise<Check> =>
  checked({ name: 'gateway' }, () => read(`${url}/healthz`), STATUS_TIMEOUT_MS);

const gatewayMetrics = (url: string, internalKey: string | undefined): Promise<string> =>
  read(
    `${url}/metrics`,
    internalKey === undefined ? {} : { authorization: `Bearer ${internalMetricsToken(internalKey)}` },
  );

async function read(url: string, headers: Record<string, string> = {}): Promise<string> {
  const { body } = await request(url, { headers, headersTimeout: STATUS_TIMEOUT_MS, bodyTimeout: STATUS_TIMEOUT_MS });
  return body.text();
}
