/** Devices whose positions of a day share a file. */
export const DEVICES_PER_BUCKET = 256;

/** Version of the columns and their meaning (docs/history.md). */
export const FORMAT = 4;

export interface Part {
  readonly tenantId: number;
  /** device id / 256 */
  readonly bucket: number;
  /** YYYY-MM-DD, UTC */
  readonly day: string;
}

export interface FileFacts {
  /** relative to HISTORY_URL */
  readonly path: string;
  readonly positions: number;
  /** epoch ms */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly format: number;
}

export interface SealedFile extends Part, FileFacts {}
