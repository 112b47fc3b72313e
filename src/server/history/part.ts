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

/** Condition for times of a day, YYYY-MM-DD, by which tables of other days are not searched. */
export const isOfDay = (time: string, day: string): string =>
  `${time} >= ${day}::date::timestamp at time zone 'UTC' and ${time} < (${day}::date + 1)::timestamp at time zone 'UTC'`;

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
