/** Settings of a history of a test's own, but for where it lies. */
export const HISTORY_OPTIONS = { memoryMb: 256, cacheMb: 64, threads: 2, partsAtOnce: 3, compression: 5 };
