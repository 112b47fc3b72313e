import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Directory } from '../device-directory/index.ts';
import type { App, Cursors } from '../http/index.ts';
import type { CommandDispatcher, CommandKnowledge } from './dispatcher.ts';
import { createEnqueueService } from './enqueue.ts';
import { createLookups } from './lookups.ts';
import { createPendingService } from './pending/service.ts';
import { addCommandRoutes } from './routes.ts';
import { createCommandService } from './service.ts';
import { addSettingsRoutes } from './settings.ts';
import { createUserRequestService } from './user-requests.ts';

export { describeCommand } from './describe.ts';
export type { CommandDispatcher, CommandKnowledge } from './dispatcher.ts';
export { createPendingService, type PendingService } from './pending/service.ts';

/** What the command routes need. */
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
  /** Throws AppError `private-address` for URLs that the server may not call. */
  readonly checkUrl: (url: string) => Promise<void>;
  /** a tenant has set a wake-up URL */
  readonly watchPending: (tenantId: number) => Promise<void>;
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
