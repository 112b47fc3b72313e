/** A position as it is stored, and as those find it who follow what is stored. Times are epoch ms, `network` and `attributes` JSON text. */
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
  /** what the attributes say of it, where a track finds it without reading them */
  readonly ignition: boolean | undefined;
}
