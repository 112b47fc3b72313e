/** A number of a benchmark, for `--json`. */
export interface Measurement {
  /** unique in the benchmark */
  readonly key: string;
  readonly value: number;
  readonly unit: string;
  /** what the project promises of it */
  readonly wanted?: { readonly atLeast?: number; readonly atMost?: number };
}

/** One line of the benchmark's report, and the numbers in it. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly measurements?: readonly Measurement[];
}

/** Whether a measured number keeps its promise; true if there is none. */
export function holds({ value, wanted }: Measurement): boolean {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = wanted ?? {};
  return value >= atLeast && value <= atMost;
}

/** What `--json` writes of a benchmark. */
export function reportOf(name: string, figures: readonly Figure[]): object {
  const measurements = figures.flatMap((figure) => figure.measurements ?? []);
  return {
    name,
    figures: Object.fromEntries(
      measurements.map((each) => [
        each.key,
        { value: each.value, unit: each.unit, wanted: each.wanted ?? null, holds: holds(each) },
      ]),
    ),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
