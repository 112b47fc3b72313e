import type { Listener } from '../../database/index.ts';

export interface KnownDevice {
  readonly id: number;
  readonly tenantId: number;
}

/** Cache of devices by device id, needed for every received record. */
export interface Directory {
  /**
   * Resolves device ids. With `register`, unknown devices are registered automatically up to the hourly limit.
   */
  resolve(imeis: Iterable<string>, register: boolean): Promise<ReadonlyMap<string, KnownDevice>>;
  /** As `resolve`, for a tenant that may have claims: they are devices of the tenant that no gateway admits. */
  resolveFor(tenantId: number, imeis: Iterable<string>, register: boolean): Promise<ReadonlyMap<string, KnownDevice>>;
}

export interface DirectoryStore {
  findClaims(tenantId: number, imeis: readonly string[]): Promise<readonly (KnownDevice & { readonly imei: string })[]>;
  find(imeis: readonly string[]): Promise<readonly (KnownDevice & { readonly imei: string })[]>;
  /** Registers devices in the default tenant, up to the allowance of the hour; returns those that exist now. */
  register(imeis: readonly string[]): Promise<readonly (KnownDevice & { readonly imei: string })[]>;
}

const MAX_CACHED_DEVICES = 500_000;

export function createDirectory(store: DirectoryStore, listener: Listener): Directory {
  const known = new Map<string, KnownDevice>();
  // counted so that a running query does not cache an outdated row
  let changes = 0;
  listener.on('fleetgate_device', (imei) => {
    changes++;
    known.delete(imei);
  });
  listener.onGap(() => {
    changes++;
    known.clear();
  });
  const look = async (
    imeis: readonly string[],
    found: Map<string, KnownDevice>,
    by: DirectoryStore['find'],
  ): Promise<string[]> => {
    const before = changes;
    for (const { imei, id, tenantId } of await by(imeis)) {
      found.set(imei, { id, tenantId });
      if (before === changes) known.set(imei, { id, tenantId });
    }
    if (known.size > MAX_CACHED_DEVICES) known.clear();
    return imeis.filter((imei) => !found.has(imei));
  };
  const resolve: Directory['resolve'] = async (imeis, register) => {
    const found = new Map<string, KnownDevice>();
    const unknown = new Set<string>();
    for (const imei of imeis) {
      const device = known.get(imei);
      if (device === undefined) unknown.add(imei);
      else found.set(imei, device);
    }
    if (unknown.size === 0) return found;
    const missing = await look([...unknown], found, store.find);
    if (missing.length > 0 && register) await look(missing, found, store.register);
    return found;
  };
  return {
    resolve,
    async resolveFor(tenantId, imeis, register) {
      const wanted = [...imeis];
      const found = await resolve(wanted, register);
      const others = wanted.filter((imei) => found.get(imei)?.tenantId !== tenantId);
      if (others.length === 0) return found;
      const own = new Map([...found].filter(([, device]) => device.tenantId === tenantId));
      for (const { imei, id } of await store.findClaims(tenantId, others)) own.set(imei, { id, tenantId });
      return own;
    },
  };
}
