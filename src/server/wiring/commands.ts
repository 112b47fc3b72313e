import { addCommands, type CommandsDeps, createOwnCommands, describeCommand } from '../commands/api/index.ts';
import type { App } from '../kernel/http/index.ts';
import { addIdempotency } from '../kernel/idempotency/index.ts';
import type { Outbound } from '../kernel/outbound/index.ts';
import {
  addCallbackRoutes,
  type CallbackSender,
  createCallbackSender,
  createSigningSecrets,
  watchPending,
} from '../live/callbacks/index.ts';
import type { RequestFile } from '../tachograph/index.ts';
import type { ApiDeps } from './deps.ts';

/** Adds commands, callbacks and wake-ups, and idempotent requests. */
export function addCommandSlices(
  server: App,
  deps: ApiDeps & { readonly outbound: Outbound },
  shared: Pick<CommandsDeps, 'directory' | 'cursors' | 'defaultTenantId'>,
): CallbackSender {
  const { settings, clock, log, dispatcher, knowledge, outbound } = deps;
  const { app, ingest } = deps.database;
  addIdempotency(server, app, log);
  if (dispatcher !== undefined && knowledge !== undefined) {
    addCommands(server, {
      ...shared,
      app,
      dispatcher,
      knowledge,
      clock,
      autoRegister: settings.autoRegister,
      openCommands: settings.OPEN_COMMANDS,
      pollMs: deps.commandPollMs,
      checkUrl: (url) => outbound.check(url),
      watchPending: (tenantId) => watchPending(ingest, tenantId),
    });
  }
  const secrets = createSigningSecrets(app, deps.secrets);
  addCallbackRoutes(server, secrets);
  return createCallbackSender({
    secrets,
    ingest,
    outbound,
    clock,
    log,
    wakeUpUrl: settings.WAKE_UP_URL,
    describe: (tenantId, id) => describeCommand(app, tenantId, id),
  });
}

/** Requests tachograph files by commands; undefined if this process dispatches no commands. */
export function createFileRequests(
  { settings, clock, dispatcher, knowledge, database }: ApiDeps,
  { directory, defaultTenantId }: Pick<CommandsDeps, 'directory' | 'defaultTenantId'>,
): RequestFile | undefined {
  if (dispatcher === undefined || knowledge === undefined) return undefined;
  const deps = { app: database.app, directory, dispatcher, knowledge, clock, defaultTenantId };
  const checkUrl = async (): Promise<void> => {};
  return createOwnCommands({ ...deps, autoRegister: settings.autoRegister, checkUrl }, 'remote-download');
}
