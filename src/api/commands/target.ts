/** Options of a device, parameters of a command. */
export type OptionValues = Readonly<Record<string, string | number | boolean>>;

/** A device that a command is for. */
export interface Target {
  readonly id: number;
  readonly imei: string;
  readonly options: OptionValues;
  /** of its session, of now or before */
  readonly sessionProtocol: string | null;
  /** of the device's row, and of the row with the tenant's settings (0: no row) */
  readonly deviceVersion: number;
  readonly settingVersion: number;
  /** patterns of the tenant's own */
  readonly privilegedPatterns: readonly string[];
  readonly [column: string]: unknown;
}

/** The protocol of the device's session, or else of its options. */
export function protocolOf({ sessionProtocol, options }: Target): string | undefined {
  if (sessionProtocol !== null) return sessionProtocol;
  const { protocol } = options;
  return typeof protocol === 'string' ? protocol : undefined;
}

const MAX_CACHED = 100_000;

/** Targets as they were last read; the database compares their versions when they are used. */
export interface Targets {
  get(tenantId: number, imei: string): Target | undefined;
  put(tenantId: number, target: Target): void;
}

export function createTargets(): Targets {
  const cached = new Map<string, Target>();
  return {
    get: (tenantId, imei) => cached.get(`${tenantId}/${imei}`),
    put(tenantId, target) {
      if (cached.size >= MAX_CACHED) cached.clear();
      cached.set(`${tenantId}/${target.imei}`, target);
    },
  };
}
