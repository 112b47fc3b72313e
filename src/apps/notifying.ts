import { Counter, Gauge, type Registry } from 'prom-client';
import { type Alerts, createAlerts, type Raise, raiseBy } from '../alerts/index.ts';
import { newSecret, readSecret, signatureHeaders } from '../api/index.ts';
import { postgresBackend, redisBackend } from '../dispatch/queue/index.ts';
import type { Feed } from '../feed/index.ts';
import {
  countDeliveries,
  createMessaging,
  emailBy,
  fcmBy,
  type Messaging,
  webhookBy,
  webPushBy,
} from '../messaging/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { Mailer } from '../platform/mail.ts';
import { createOutbound } from '../platform/outbound/index.ts';
import type { Database } from '../platform/postgres/index.ts';
import { readServiceAccount } from '../platform/service-account.ts';

export interface NotifyingDeps {
  readonly config: Config;
  readonly database: Database;
  readonly feed: Feed;
  readonly log: Log;
  readonly mailer: Mailer | undefined;
  readonly registry: Registry;
}

export interface Notifying {
  readonly alerts: Alerts;
  readonly messaging: Messaging;
  /** for what other parts of the API find out */
  readonly raise: Raise;
  start(): void;
  stop(): Promise<void>;
}

/** Rules over what happens, and what brings their messages to people. Not started yet. */
export function createNotifying({ config, database, feed, log, mailer, registry }: NotifyingDeps): Notifying {
  const { ingest: pool } = database;
  const sends = sendsOf(config, database, mailer);
  const told = new Counter({
    name: 'fleetgate_notifications_total',
    help: 'messages that rules have led to',
    registers: [registry],
  });
  const channels = {
    email: sends.email !== undefined,
    web_push: sends.web_push !== undefined,
    fcm: sends.fcm !== undefined,
  };
  const teller = { channels, onTold: (messages: number): void => told.inc(messages) };
  const alerts = createAlerts({ pool, feed, clock: systemClock, log, teller });
  const messaging = createMessaging({
    ...{ pool, clock: systemClock, log, sends, kept: config.QUEUE_KEPT },
    connections:
      config.REDIS_URL === undefined
        ? postgresBackend(database.foreignPool)
        : redisBackend(config.REDIS_URL, systemClock),
  });
  addMetrics(registry, database, alerts);
  return {
    alerts,
    messaging,
    raise: raiseBy(pool, teller),
    start() {
      alerts.start();
      messaging.start();
    },
    async stop() {
      await Promise.all([alerts.stop(), messaging.stop()]);
    },
  };
}

function sendsOf(config: Config, { app }: Database, mailer: Mailer | undefined) {
  const outbound = createOutbound({ allowsPrivate: config.WEBHOOK_PRIVATE });
  const account = config.FCM_SERVICE_ACCOUNT === undefined ? undefined : readServiceAccount(config.FCM_SERVICE_ACCOUNT);
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = config;
  const { post } = outbound;
  return {
    webhook: webhookBy({
      post,
      sign: async (tenantId, message) =>
        signatureHeaders(await readSecret(app, tenantId, newSecret()), { ...message, at: systemClock.now() }),
    }),
    ...(mailer === undefined ? {} : { email: emailBy((mail) => mailer.send(mail)) }),
    ...(publicKey === undefined || privateKey === undefined
      ? {}
      : { web_push: webPushBy({ subject, publicKey, privateKey }, post) }),
    ...(account === undefined ? {} : { fcm: fcmBy(account, config.FCM_ENDPOINT, systemClock) }),
  };
}

/** What is counted is read when somebody asks; where the database is away there is no figure. */
function addMetrics(registry: Registry, { ingest }: Database, alerts: Alerts): void {
  const registers = [registry];
  new Gauge({
    name: 'fleetgate_rules_lag_seconds',
    help: 'how long the oldest event has waited that no rule has seen; 0 where none waits',
    registers,
    async collect() {
      const lag = await alerts.lag().catch(() => undefined);
      if (lag !== undefined) this.set(lag);
    },
  });
  new Gauge({
    name: 'fleetgate_deliveries',
    help: 'messages to addresses by channel and state, those that ended within a day',
    labelNames: ['channel', 'state'],
    registers,
    async collect() {
      const counts = await countDeliveries(ingest).catch(() => undefined);
      if (counts === undefined) return;
      this.reset();
      for (const { channel, state, count } of counts) this.set({ channel, state }, count);
    },
  });
}
