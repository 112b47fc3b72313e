import { Registry } from 'prom-client';
import { definitionsOf } from '../codec/catalogue/command-definitions.ts';
import { checkCommand, endsSession } from '../codec/catalogue/commands.ts';
import { loadCatalogue } from '../codec/catalogue/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createSamples } from '../platform/samples.ts';
import {
  cancel,
  commandEventTypes,
  type DeviceEvent,
  DispatchEngine,
  flush,
  rearm,
} from '../server/commands/dispatch/index.ts';
import type { Database, Peers } from '../server/database/index.ts';
import type { ApiDeps } from '../server/index.ts';
import { addCommandMetrics } from './command-metrics.ts';

/** Joins the dispatch engine to the API and the catalogue, and starts it. */
export async function startDispatch(
  database: Database,
  log: Log,
  settings: { readonly WAKE_UP_URL?: string | undefined; readonly OPEN_COMMANDS: number },
  registry: Registry = new Registry(),
  peers?: Pick<Peers, 'count'>,
  samples = createSamples(systemClock),
): Promise<Required<Pick<ApiDeps, 'commands' | 'dispatcher' | 'knowledge'>> & { readonly engine: DispatchEngine }> {
  const catalogue = await loadCatalogue();
  const { watch } = addCommandMetrics(registry, {
    database,
    clock: systemClock,
    samples,
    openCommands: settings.OPEN_COMMANDS,
    streams: () => engine.streams.gateways,
  });
  const engine = new DispatchEngine({
    watch,
    pool: database.ingest,
    listener: database.listener,
    clock: systemClock,
    log,
    openCommands: settings.OPEN_COMMANDS,
    wakesAll: settings.WAKE_UP_URL !== undefined,
    ...(peers === undefined ? {} : { hasPeers: () => peers.count() > 0 }),
    protocols: {
      correlation: (protocol) => (protocol === null ? undefined : catalogue.byId(protocol)?.correlation) ?? 'in-order',
      endsSession: (protocol, command) => endsSession(catalogue, protocol, command),
    },
  });
  engine.start();
  return {
    engine,
    commands: {
      eventTypes: commandEventTypes,
      load: (tx, gateway, events, touched) => engine.load(tx, gateway, events as readonly DeviceEvent[], touched),
      open: (gateway, send) => engine.open(gateway, send),
    },
    dispatcher: {
      enqueue: (command) => engine.enqueue(command),
      onEnded: (id, heard) => engine.onEnded(id, heard),
      cancel: (id, isForced, asker) => cancel(engine, id, isForced, asker),
      flush: (deviceId, includeInFlight, asker) => flush(engine, deviceId, includeInFlight, asker),
      rearm: (wish, asker) => rearm(engine, wish, asker),
    },
    knowledge: {
      check: (protocol, command) => checkCommand(catalogue, protocol, command, systemClock.now()),
      definitions: (protocol) => definitionsOf(catalogue, protocol),
    },
  };
}
