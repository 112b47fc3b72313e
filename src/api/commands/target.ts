/** Options of a device, parameters of a command. */
export type OptionValues = Readonly<Record<string, string | number | boolean>>;

/** A device that a command is for. */
export interface Target {
  readonly id: number;
  readonly imei: string;
  readonly options: OptionValues;
  /** of its session, of now or before */
  readonly sessionProtocol: string | null;
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
