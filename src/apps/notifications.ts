import { Counter, Gauge, type Registry } from 'prom-client';
import { systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Mailer } from '../platform/mail.ts';
import type { Samples } from '../platform/samples.ts';
import {
  type Alerts,
  createAlerts,
  createBacktest,
  createFindingNotifier,
  type NotifyFinding,
} from '../server/alerts/evaluation/index.ts';
import {
  countDeliveries,
  createMessaging,
  emailBy,
  fcmBy,
  type Messaging,
  webhookBy,
  webPushBy,
} from '../server/alerts/messaging/index.ts';
import { readServiceAccount } from '../server/alerts/service-account.ts';
import { ruleSettingsOf } from '../server/alerts/settings.ts';
import { postgresBackend, redisBackend } from '../server/commands/dispatch/queue/index.ts';
import type { Database } from '../server/database/index.ts';
import { type ApiDeps, createSigningSecrets, signatureHeaders } from '../server/index.ts';
import type { Feed, Shards } from '../server/ingest/feed/index.ts';
import { createOutbound } from '../server/kernel/outbound/index.ts';
import type { Secrets } from '../server/kernel/secrets/index.ts';
import type { Config } from './config.ts';

export interface NotificationsDeps {
  readonly config: Config;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly feed: Feed;
  readonly log: Log;
  readonly mailer: Mailer | undefined;
  readonly registry: Registry;
  readonly samples: Samples;
  readonly shards: Shards;
}

export interface Notifications {
  readonly alerts: Alerts;
  readonly messaging: Messaging;
  /** for findings of other parts of the API */
  readonly notifyFinding: NotifyFinding;
  readonly backtest: NonNullable<ApiDeps['backtest']>;
  start(): void;
  stop(): Promise<void>;
}

/** Evaluation of rules, and delivery of their notifications. Not started yet. */
export function createNotifications({
  config,
  database,
  secrets,
  feed,
  log,
  mailer,
  registry,
  samples,
  shards,
}: NotificationsDeps): Notifications {
  const { ingest: pool } = database;
  const sends = sendsOf(config, database, mailer, secrets);
  const notificationCounter = new Counter({
    name: 'fleetgate_notifications_total',
    help: 'notifications created by rules',
    registers: [registry],
  });
  const channels = {
    email: sends.email !== undefined,
    web_push: sends.web_push !== undefined,
    fcm: sends.fcm !== undefined,
  };
  const mapLink = config.MAP_LINK === '' ? undefined : config.MAP_LINK;
  const notifier = { channels, mapLink, onNotified: (messages: number): void => notificationCounter.inc(messages) };
  const settings = ruleSettingsOf(config);
  const alerts = createAlerts({ pool, feed, clock: systemClock, log, notifier, settings, shards });
  const messaging = createMessaging({
    pool,
    clock: systemClock,
    log,
    sends,
    kept: config.QUEUE_KEPT,
    connections:
      config.REDIS_URL === undefined
        ? postgresBackend(database.foreignPool)
        : redisBackend(config.REDIS_URL, systemClock),
  });
  addMetrics(registry, database, alerts, samples);
  return {
    alerts,
    messaging,
    notifyFinding: createFindingNotifier(pool, notifier),
    backtest: createBacktest(database.app, systemClock, {
      limits: ruleSettingsOf(config).limits,
      mostPositions: config.BACKTEST_POSITIONS,
      mapLink,
    }),
    start() {
      alerts.start();
      messaging.start();
    },
    async stop() {
      await Promise.all([alerts.stop(), messaging.stop()]);
    },
  };
}

function sendsOf(config: Config, { app }: Database, mailer: Mailer | undefined, secrets: Secrets) {
  const signingSecrets = createSigningSecrets(app, secrets);
  const outbound = createOutbound({ allowsPrivate: config.WEBHOOK_PRIVATE });
  const account = config.FCM_SERVICE_ACCOUNT === undefined ? undefined : readServiceAccount(config.FCM_SERVICE_ACCOUNT);
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = config;
  const { post } = outbound;
  return {
    webhook: webhookBy({
      post,
      sign: async (tenantId, message) =>
        signatureHeaders(await signingSecrets.read(tenantId), { ...message, at: systemClock.now() }),
    }),
    ...(mailer === undefined ? {} : { email: emailBy((mail) => mailer.send(mail)) }),
    ...(publicKey === undefined || privateKey === undefined
      ? {}
      : { web_push: webPushBy({ subject, publicKey, privateKey }, post) }),
    ...(account === undefined ? {} : { fcm: fcmBy(account, config.FCM_ENDPOINT, systemClock) }),
  };
}

function addMetrics(registry: Registry, { ingest }: Database, alerts: Alerts, samples: Samples): void {
  const readLag = samples(() => alerts.lag());
  const readCounts = samples(() => countDeliveries(ingest));
  const registers = [registry];
  new Gauge({
    name: 'fleetgate_rules_lag_seconds',
    help: 'age of the oldest event that the rules have not evaluated; 0 if all are evaluated',
    registers,
    async collect() {
      const lag = await readLag();
      if (lag !== undefined) this.set(lag);
    },
  });
  new Gauge({
    name: 'fleetgate_deliveries',
    help: 'deliveries by channel and state; ended ones of the last day',
    labelNames: ['channel', 'state'],
    registers,
    async collect() {
      const counts = await readCounts();
      if (counts === undefined) return;
      this.reset();
      for (const { channel, state, count } of counts) this.set({ channel, state }, count);
    },
  });
}
