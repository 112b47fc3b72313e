/** Percentiles of durations in ms, in buckets 2 % wide: memory does not grow with the count. */
export class Percentiles {
  readonly #buckets = new Uint32Array(1024);
  #count = 0;

  add(ms: number): void {
    const bucket = ms <= 0.01 ? 0 : Math.min(1023, Math.ceil(Math.log(ms / 0.01) / Math.log(1.02)));
    this.#buckets[bucket]!++;
    this.#count++;
  }

  get count(): number {
    return this.#count;
  }

  /** Upper bound of the bucket that holds the given fraction (0 to 1); NaN when nothing was counted. */
  at(fraction: number): number {
    if (this.#count === 0) return Number.NaN;
    let remaining = fraction * this.#count;
    for (let bucket = 0; bucket < this.#buckets.length; bucket++) {
      remaining -= this.#buckets[bucket]!;
      if (remaining <= 0) return 0.01 * 1.02 ** bucket;
    }
    return 0.01 * 1.02 ** 1023;
  }
}
