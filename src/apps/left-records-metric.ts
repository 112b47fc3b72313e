import { Gauge, type Registry } from 'prom-client';
import type { Samples } from '../platform/samples.ts';
import type { Database } from '../server/database/index.ts';
import { readLeftRecords } from '../server/devices/gateways/index.ts';

/** Records on the disks of gateways that are not connected, and did not stop with an empty spool. */
export function addLeftRecordsMetric(registry: Registry, database: Database, samples: Samples): void {
  const current = samples(() => readLeftRecords(database.ingest));
  new Gauge({
    name: 'fleetgate_gateway_left_records',
    help: 'records in the spool of a gateway that is not connected, when it was last heard; stopped="false": it has ended without a word, and may have more',
    labelNames: ['gateway', 'stopped'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { gateway, waiting, hasStopped } of (await current()) ?? []) {
        this.set({ gateway, stopped: String(hasStopped) }, waiting);
      }
    },
  });
}
