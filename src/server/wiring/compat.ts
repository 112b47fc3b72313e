import type { Job } from '../../platform/jobs.ts';
import { addAssistants } from '../compat/mcp/index.ts';
import { addTraccarRoutes } from '../compat/traccar/index.ts';
import type { App } from '../kernel/http/index.ts';
import type { Usage } from '../kernel/usage/index.ts';
import type { ApiDeps } from './deps.ts';
import type { Identity } from './identity.ts';

/** Adds the interface for Traccar clients if the settings enable it. */
export async function addCompatibility(app: App, identity: Identity, deps: ApiDeps, usage: Usage): Promise<void> {
  if (!deps.settings.COMPAT_TRACCAR) return;
  await addTraccarRoutes(app, {
    ...identity,
    pools: deps.database,
    clock: deps.clock,
    log: deps.log,
    version: deps.version,
    commandTypes: commandTypesOf(deps),
    hasAddresses: deps.addressesOf !== undefined,
    onCaller: usage.countRequest,
  });
}

/** Adds the interface for assistants if the settings enable it. */
export const addAssistance = (app: App, { settings, version }: ApiDeps): readonly Job[] =>
  settings.MCP ? [addAssistants(app, { version, mostSessions: settings.MCP_SESSIONS })] : [];

/** No protocol supports a command without a name: the result lists those that are supported. */
function commandTypesOf({ knowledge }: ApiDeps) {
  const nameless = { type: '', params: {}, deviceId: '', options: {}, isRaw: false };
  return (protocol: string | undefined): readonly string[] => {
    const outcome = knowledge?.check(protocol, nameless);
    return outcome?.type === 'unsupported' ? outcome.takes : [];
  };
}
