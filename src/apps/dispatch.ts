import type { ApiDeps } from '../api/index.ts';
import { loadCatalogue } from '../catalogue/index.ts';
import { commandEventTypes, type DeviceEvent, DispatchEngine } from '../dispatch/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres/index.ts';

/** Joins the dispatch engine to the API and the catalogue, and starts it. */
export async function startDispatch(
  database: Database,
  log: Log,
): Promise<{ engine: DispatchEngine; commands: NonNullable<ApiDeps['commands']> }> {
  const catalogue = await loadCatalogue();
  const engine = new DispatchEngine({
    pool: database.ingest,
    listener: database.listener,
    clock: systemClock,
    log,
    correlation: (protocol) => (protocol === null ? undefined : catalogue.byId(protocol)?.correlation) ?? 'in-order',
  });
  engine.start();
  return {
    engine,
    commands: {
      eventTypes: commandEventTypes,
      apply: (tx, gateway, events) => engine.apply(tx, gateway, events as readonly DeviceEvent[]),
      open: (gateway, send) => engine.open(gateway, send),
    },
  };
}
