import { Gauge, type Registry } from 'prom-client';
import type { Samples } from '../platform/samples.ts';
import type { Database } from '../server/database/index.ts';
import { readLeftRecords } from '../server/devices/gateways/index.ts';

/** Records on the disks of gateways that are not connected: 0 for none, then once for each such gateway. */
export function addLeftRecordsMetric(registry: Registry, database: Database, samples: Samples): void {
  const current = samples(() => readLeftRecords(database.ingest));
  new Gauge({
    name: 'fleetgate_gateway_left_records',
    help: 'records that a gateway which is not connected had in its spool when it was last heard',
    labelNames: ['gateway'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { gateway, waiting } of (await current()) ?? []) this.set({ gateway }, waiting);
    },
  });
}
