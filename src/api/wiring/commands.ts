import { DEFAULT_OPEN_COMMANDS } from '../../platform/command-settings.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import {
  addCallbackRoutes,
  type CallbackSender,
  createCallbackSender,
  createSigningSecrets,
  watchPending,
} from '../callbacks/index.ts';
import { addCommands, type CommandsDeps, createOwnCommands, describeCommand } from '../commands/index.ts';
import type { App } from '../http/index.ts';
import { addIdempotency } from '../idempotency/index.ts';
import type { RequestFile } from '../tachograph/index.ts';
import type { ApiDeps } from './deps.ts';

/** Wires commands, what is called when they end, and requests that may be repeated. */
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
      openCommands: settings.OPEN_COMMANDS ?? DEFAULT_OPEN_COMMANDS,
      pollMs: settings.commandPollMs,
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

/** Requests of tachograph files by commands; undefined where commands are not dispatched. */
export function createFileRequests(
  { settings, clock, dispatcher, knowledge, database }: ApiDeps,
  { directory, defaultTenantId }: Pick<CommandsDeps, 'directory' | 'defaultTenantId'>,
): RequestFile | undefined {
  if (dispatcher === undefined || knowledge === undefined) return undefined;
  const deps = { app: database.app, directory, dispatcher, knowledge, clock, defaultTenantId };
  const checkUrl = async (): Promise<void> => {};
  return createOwnCommands({ ...deps, autoRegister: settings.autoRegister, checkUrl }, 'remote-download');
}
