/** Epoch of PostgreSQL's timestamps, epoch ms. */
export const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

/** A `timestamptz` in binary form, 8 bytes of µs since 2000, as epoch ms; what is less than a ms is cut off. */
export function readTimestamp(view: DataView, at: number): number {
  const micros = view.getInt32(at) * 0x1_0000_0000 + view.getUint32(at + 4);
  return POSTGRES_EPOCH_MS + Math.floor(micros / 1_000);
}
