import { systemClock } from '../platform/clock.ts';
import type { Check } from '../platform/readiness.ts';
import type { MessageJobs, Messaging } from '../server/alerts/messaging/index.ts';
import type { CommandQueue } from '../server/commands/dispatch/queue/index.ts';
import {
  addConsole,
  addQueueBoard,
  type SpoolLine,
  sharedOverview,
  type WaitingLine,
} from '../server/console/index.ts';
import type { Database } from '../server/database/index.ts';
import type { ApiDeps, PageServices } from '../server/index.ts';
import { samplesOf } from './metrics-text.ts';

export interface PagesDeps {
  readonly database: Database;
  readonly queue: CommandQueue;
  readonly messaging: Pick<Messaging, 'onOpen'>;
  readonly streams: () => readonly string[];
  readonly checks: () => Promise<readonly Check[]>;
  /** metrics of the gateway beside this process, where there is one */
  readonly gatewayMetrics: (() => Promise<string>) | undefined;
  /** servers that maps are requested from */
  readonly mapOrigins: readonly string[];
}

const COMMANDS = {
  displayName: 'GPRS commands',
  description: 'delayed = open, completed = acknowledged, failed = failed, expired, cancelled or unknown',
};
const messagesQueue = (queue: MessageJobs) => ({
  queue,
  displayName: `Messages: ${queue.name.replace('messages-', '').replace('-', ' ')}`,
  description: 'one message to one address; delayed = it is tried again, with the reason',
});

/** Joins the pages to what they show. */
export function createPages({
  database,
  queue,
  messaging,
  streams,
  checks,
  gatewayMetrics,
  mapOrigins,
}: PagesDeps): ApiDeps['pages'] {
  return (app, services) => {
    const board = addQueueBoard(app, (request) => services.may(request, 'ops:write'));
    queue.onOpen((jobs) => board.show('commands', [{ queue: jobs, ...COMMANDS }]));
    messaging.onOpen((lines) => board.show('messages', lines.map(messagesQueue)));
    const overview = sharedOverview({
      app: database.app,
      ingest: database.ingest,
      clock: systemClock,
      pending: (tenantId, limit) => waitingCommands(services, tenantId, limit),
      streams,
      spools: async () => (gatewayMetrics === undefined ? [] : spoolsOf(await gatewayMetrics().catch(() => ''))),
      checks,
      jobs: () => queue.counts().catch(() => undefined),
    });
    addConsole(app, { overview, tenantOf: services.tenantOf, mapOrigins });
  };
}

async function waitingCommands(services: PageServices, tenantId: number, limit: number): Promise<WaitingLine[]> {
  const { items, explain } = await services.pending.ofAll(tenantId, { limit });
  const reasons = new Map(explain.map(({ commandId, reason }) => [commandId, reason]));
  return items.map((command) => ({
    id: command.commandId,
    imei: command.imei,
    text: command.gprsCommand ?? command.type,
    reason: reasons.get(command.commandId) ?? 'queue-down',
    createdAt: Date.parse(command.createdAt),
    expiresAt: Date.parse(command.expiresAt),
    attempts: command.attempts,
    maxAttempts: command.maxAttempts,
  }));
}

/** A gateway reports its spool in its metrics. */
function spoolsOf(text: string): SpoolLine[] {
  const bytes = samplesOf(text, 'fleetgate_spool_bytes')[0]?.value ?? 0;
  const setAside = samplesOf(text, 'fleetgate_spool_set_aside');
  return samplesOf(text, 'fleetgate_spool_lag_seconds').map(({ labels, value }) => ({
    target: labels['target'] ?? '',
    lagSeconds: value,
    setAside: setAside.find((sample) => sample.labels['target'] === labels['target'])?.value ?? 0,
    bytes,
  }));
}
