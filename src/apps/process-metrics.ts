import { dirname } from 'node:path';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { freeBytes } from '../platform/free-space.ts';

/** Connections of one pool to the database, as node-postgres counts them. */
export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** CPU, memory, event loop and garbage collection of this process, and the free space of its data folder. */
export function addProcessMetrics(
  registry: Registry,
  options: { readonly process: string; readonly dataDir: string },
): void {
  const { process, dataDir } = options;
  collectDefaultMetrics({ register: registry, labels: { process } });
  new Gauge({
    name: 'fleetgate_disk_free_bytes',
    help: 'free space of the file system that holds the data folder of this process',
    labelNames: ['process'],
    registers: [registry],
    async collect() {
      const bytes = await freeBytesAt(dataDir);
      if (bytes === undefined) this.reset();
      else this.set({ process }, bytes);
    },
  });
}

/** Where the folder is not there yet, of the file system that it would be made on; undefined: the system does not say. */
async function freeBytesAt(folder: string): Promise<number | undefined> {
  try {
    return await freeBytes(folder);
  } catch {
    const parent = dirname(folder);
    return parent === folder ? undefined : freeBytesAt(parent);
  }
}

/** Connections to the database by pool and state; requests that wait show a pool that is too small. */
export function addPoolMetrics(registry: Registry, pools: Readonly<Record<string, PoolCounts>>): void {
  new Gauge({
    name: 'fleetgate_database_connections',
    help: 'connections to the database by pool: busy, idle, and requests that wait for one',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });
}
