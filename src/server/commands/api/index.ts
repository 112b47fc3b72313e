import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import type { Directory } from '../../devices/directory/index.ts';
import type { App, Cursors } from '../../kernel/http/index.ts';
import type { CommandDispatcher, CommandKnowledge } from './dispatcher.ts';
import { createEnqueueService, type EnqueueDeps } from './enqueue.ts';
import { createLookups } from './lookups.ts';
import { createPendingService } from './pending/service.ts';
import { addCommandRoutes } from './routes.ts';
import { enqueueRequest } from './schema.ts';
import { createCommandService } from './service.ts';
import { addSettingsRoutes } from './settings.ts';
import { createUserRequestService } from './user-requests.ts';

export { describeCommand } from './describe.ts';
export type { CommandDispatcher, CommandKnowledge } from './dispatcher.ts';
export { createPendingService, type PendingService } from './pending/service.ts';

/** Dependencies of the command routes. */
export interface CommandsDeps {
  readonly app: pg.Pool;
  readonly directory: Directory;
  readonly dispatcher: CommandDispatcher;
  readonly knowledge: CommandKnowledge;
  readonly cursors: Cursors;
  readonly clock: Clock;
  readonly autoRegister: boolean;
  readonly defaultTenantId: number;
  /** open commands that a device may have */
  readonly openCommands: number;
  /** ms between two reads of a command that a client waits for */
  readonly pollMs?: number | undefined;
  /** Throws AppError `private-address` for URLs that the server may not call. */
  readonly checkUrl: (url: string) => Promise<void>;
  /** called after a tenant has set a wake-up URL */
  readonly watchPending: (tenantId: number) => Promise<void>;
}

/** A command that the server creates itself. */
export interface OwnCommand {
  readonly tenantId: number;
  readonly imei: string;
  readonly type: string;
  readonly ttlSeconds: number;
}

/**
 * Enqueues commands for `actor`, who has no scopes, so that privileged commands are refused. Returns the id of the
 * command. Throws the errors of `PreparedCommand.store`.
 */
export function createOwnCommands(
  deps: Omit<EnqueueDeps, 'lookups'>,
  actor: string,
): (command: OwnCommand) => Promise<string> {
  const enqueuing = createEnqueueService({ ...deps, lookups: createLookups(deps.app) });
  return async ({ tenantId, ...request }) => {
    const prepared = await enqueuing.prepare({ tenantId, actor, scopes: new Set() }, enqueueRequest.parse(request));
    await prepared.store();
    return prepared.id;
  };
}

export function addCommands(server: App, deps: CommandsDeps): void {
  const { app, cursors, clock } = deps;
  const lookups = createLookups(app);
  addCommandRoutes(server, {
    commands: createCommandService({ ...deps, lookups }),
    enqueuing: createEnqueueService({ ...deps, lookups }),
    batches: { ...deps, lookups },
    pending: createPendingService(app, cursors, clock),
    userRequests: createUserRequestService(deps),
  });
  addSettingsRoutes(server, deps);
}
