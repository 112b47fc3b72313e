/** Positions or frames that stay packed: their fields are read when they are written. */
export interface PackedRecords {
  readonly bytes: Buffer;
  readonly seqs: readonly number[];
  /** where in `bytes` each record begins, and ends */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** '' for a frame that was received before the device had identified itself */
  readonly deviceIds: readonly string[];
}

export const NO_RECORDS: PackedRecords = { bytes: Buffer.alloc(0), seqs: [], starts: [], ends: [], deviceIds: [] };
