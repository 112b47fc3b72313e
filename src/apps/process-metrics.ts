import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
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

/** If the folder does not exist, of the file system it would be created on; undefined: unknown. */
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

/** Expiry of the certificate files, so that an alert comes before devices and clients are turned away. */
export function addCertificateMetrics(registry: Registry, files: Readonly<Record<string, string | undefined>>): void {
  new Gauge({
    name: 'fleetgate_certificate_expires_seconds',
    help: 'end of validity of the certificate that a setting names, Unix time',
    labelNames: ['setting'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [setting, file] of Object.entries(files)) {
        const end = file === undefined ? undefined : await endOf(file).catch(() => undefined);
        if (end !== undefined) this.set({ setting }, end / 1_000);
      }
    },
  });
}

/** Epoch ms. Rejects if the file cannot be read, or is no certificate: while it is replaced, for example. */
const endOf = async (file: string): Promise<number> =>
  Date.parse(new X509Certificate(await readFile(file, 'utf8')).validTo);
