/** Doubles from `minMs` with each failure in a row (1 is the first), up to `maxMs`. */
export const doublingMs = (failures: number, minMs: number, maxMs: number): number =>
  Math.min(maxMs, minMs * 2 ** Math.min(failures - 1, 20));

/** Seconds after the first, second, … attempt to reach a receiver outside of the installation; the last one repeats. */
const RECEIVER_PAUSES_S = [5, 30, 120, 600, 1_800, 3_600, 7_200];

/** Back-off after this number of failed attempts (1 or more) to reach an external receiver. */
export const receiverPauseS = (attempts: number): number =>
  RECEIVER_PAUSES_S[Math.min(Math.max(attempts, 1), RECEIVER_PAUSES_S.length) - 1]!;
