import type { Listener } from '../../platform/postgres/index.ts';

export interface KnownDevice {
  readonly id: number;
  readonly tenantId: number;
}

/** Which device an id names; kept in the process, since every line that comes in asks. */
export interface Directory {
  /**
   * The known ones of these ids. With `register` the others are registered by themselves, as far as this hour's
   * allowance goes.
   */
  resolve(imeis: Iterable<string>, register: boolean): Promise<ReadonlyMap<string, KnownDevice>>;
  /** As `resolve`, for a tenant that may have claims: those are devices of its own, which no gateway admits. */
  resolveFor(tenantId: number, imeis: Iterable<string>, register: boolean): Promise<ReadonlyMap<string, KnownDevice>>;
}

export interface DirectoryStore {
  findClaims(tenantId: number, imeis: readonly string[]): Promise<readonly (KnownDevice & { readonly imei: string })[]>;
  find(imeis: readonly string[]): Promise<readonly (KnownDevice & { readonly imei: string })[]>;
  /** Registers as many as the hour's allowance leaves, into the default tenant; answers those that now exist. */
  register(imeis: readonly string[]): Promise<readonly (KnownDevice & { readonly imei: string })[]>;
}

const MOST = 500_000;

export function createDirectory(store: DirectoryStore, listener: Listener): Directory {
  const known = new Map<string, KnownDevice>();
  // a look-up that is in progress while a device changes must not restore the old row
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
    if (known.size > MOST) known.clear();
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
