import { restrictedUser } from '../../../platform/restriction.ts';

/** Options of a device, parameters of a command. */
export type OptionValues = Readonly<Record<string, string | number | boolean>>;

/** The device of a command request. */
export interface Target {
  readonly id: number;
  readonly imei: string;
  readonly options: OptionValues;
  /** of its current or last session */
  readonly sessionProtocol: string | null;
  /** versions of the row of the device and of the tenant's settings (0: no row) */
  readonly deviceVersion: number;
  readonly settingVersion: number;
  /** patterns that the tenant has configured */
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

/**
 * Cached targets, whose versions the database compares when they are used. Whether a user with assigned vehicles may
 * see a device depends on pairings, which the version does not cover: such a user's targets are read from the database
 * each time, under its policies.
 */
export interface Targets {
  get(tenantId: number, imei: string): Target | undefined;
  put(tenantId: number, target: Target): void;
}

export function createTargets(): Targets {
  const cached = new Map<string, Target>();
  return {
    get: (tenantId, imei) => (restrictedUser() === undefined ? cached.get(`${tenantId}/${imei}`) : undefined),
    put(tenantId, target) {
      if (cached.size >= MAX_CACHED) cached.clear();
      cached.set(`${tenantId}/${target.imei}`, target);
    },
  };
}
