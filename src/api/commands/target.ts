/** Options of a device, parameters of a command. */
export type OptionValues = Readonly<Record<string, string | number | boolean>>;

/** A device that a command is for. */
export interface Target {
  readonly id: number;
  readonly imei: string;
  readonly options: OptionValues;
  /** of its session, of now or before */
  readonly sessionProtocol: string | null;
  /** of the device's row, and of the row with the tenant's settings (0: there is none) */
  readonly deviceVersion: number;
  readonly settingVersion: number;
  /** patterns of the tenant's own */
  readonly dangerousCommands: readonly string[];
  readonly [column: string]: unknown;
}

/** The protocol that the device speaks, or the one that its options say it will. */
export function protocolOf({ sessionProtocol, options }: Target): string | undefined {
  if (sessionProtocol !== null) return sessionProtocol;
  const { protocol } = options;
  return typeof protocol === 'string' ? protocol : undefined;
}

const MOST_KNOWN = 100_000;

/** Devices as they were when they were last read; whoever goes by it has it compared by their versions. */
export interface Targets {
  get(tenantId: number, imei: string): Target | undefined;
  put(tenantId: number, target: Target): void;
}

export function createTargets(): Targets {
  const known = new Map<string, Target>();
  return {
    get: (tenantId, imei) => known.get(`${tenantId}/${imei}`),
    put(tenantId, target) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(`${tenantId}/${target.imei}`, target);
    },
  };
}
