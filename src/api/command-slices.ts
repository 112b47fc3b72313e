import type { Outbound } from '../platform/outbound/index.ts';
import { addCommands, type CommandsDeps, describeCommand } from './commands/index.ts';
import type { ApiDeps } from './deps.ts';
import { type Courier, createCourier } from './hooks/courier.ts';
import { addHookRoutes } from './hooks/routes.ts';
import { watchPending } from './hooks/store.ts';
import type { App } from './http/server.ts';
import { addIdempotency } from './idempotency/index.ts';

/** Open commands that a device may have. */
const OPEN_COMMANDS = 100;

/** Wires commands, what is called when they end, and requests that may be repeated. */
export function addCommandSlices(
  server: App,
  deps: ApiDeps & { readonly outbound: Outbound },
  shared: Pick<CommandsDeps, 'directory' | 'cursors' | 'defaultTenantId'>,
): Courier {
  const { settings, clock, log, dispatcher, knowledge, outbound } = deps;
  const { app, ingest } = deps.database;
  addIdempotency(server, app, log);
  if (dispatcher !== undefined && knowledge !== undefined) {
    addCommands(server, {
      ...shared,
      ...{ app, dispatcher, knowledge, clock },
      autoRegister: settings.autoRegister,
      openCommands: OPEN_COMMANDS,
      checkUrl: (url) => outbound.check(url),
      watchPending: (tenantId) => watchPending(ingest, tenantId),
    });
  }
  addHookRoutes(server, app);
  return createCourier({
    ...{ app, ingest, outbound, clock, log },
    wakeUpUrl: settings.WAKE_UP_URL,
    describe: (tenantId, id) => describeCommand(app, tenantId, id),
  });
}
