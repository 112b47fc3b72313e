/** A position as it is stored, and as followers of the feed read it. Times are epoch ms, `network` and `attributes` JSON text. */
export interface PositionRow {
  readonly deviceId: number;
  readonly tenantId: number;
  /** fix, device or server time, the first that there is */
  readonly time: number;
  readonly id: string;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly speed: number | undefined;
  readonly course: number | undefined;
  readonly valid: boolean;
  readonly outdated: boolean;
  readonly altitude: number | undefined;
  readonly accuracy: number | undefined;
  readonly deviceTime: number | undefined;
  readonly fixTime: number | undefined;
  readonly serverTime: number;
  readonly protocol: string | undefined;
  readonly network: string | undefined;
  readonly attributes: string;
  /** from the attributes; a column of its own, so that tracks need not read them */
  readonly ignition: boolean | undefined;
  /** the time is implausible: stored, and ignored in computations */
  readonly clockSuspect?: boolean | undefined;
}
