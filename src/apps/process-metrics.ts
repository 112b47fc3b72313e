import { statfs } from 'node:fs/promises';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

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
      const { bavail, bsize } = await statfs(dataDir);
      this.set({ process }, bavail * bsize);
    },
  });
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
