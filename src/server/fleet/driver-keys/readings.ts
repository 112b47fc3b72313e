/** A period in which a device reported the same key, by its first and last report. Times are epoch ms. */
export interface Reading {
  readonly began: number;
  readonly ended: number;
  /** in lower case; '' if the device reported that nobody is logged in */
  readonly key: string;
}

/**
 * Adds a report to readings in their order. The result does not depend on the order in which reports arrive, except that
 * of a reading into which another key falls only the ends are known. Returns the same array if nothing changes.
 */
export function addReading(readings: readonly Reading[], at: number, key: string): readonly Reading[] {
  const i = readings.findLastIndex(({ began }) => began <= at);
  const before = readings[i];
  const after = readings[i + 1];
  const replaced = (from: number, count: number, ...by: readonly Reading[]): readonly Reading[] =>
    readings.toSpliced(from, count, ...by);
  if (before !== undefined && at <= before.ended) {
    if (before.key === key || before.began === at) return readings;
    return replaced(
      i,
      1,
      { ...before, ended: at - 1 },
      { began: at, ended: at, key },
      ...(before.ended > at ? [{ ...before, began: before.ended }] : []),
    );
  }
  if (before?.key === key)
    return key === '' && after === undefined ? readings : replaced(i, 1, { ...before, ended: at });
  if (after?.key === key) return replaced(i + 1, 1, { ...after, began: at });
  return replaced(i + 1, 0, { began: at, ended: at, key });
}

/** Did more change than the end of a reading? */
export const isSameOrder = (a: readonly Reading[], b: readonly Reading[]): boolean =>
  a.length === b.length && a.every(({ began, key }, i) => began === b[i]!.began && key === b[i]!.key);

/** Someone in a vehicle, epoch ms; `to` undefined: until now. */
export interface Stay {
  readonly from: number;
  readonly to: number | undefined;
}

/** The time that two stays have in common; undefined if there is none. */
export function common(a: Stay, b: Stay): Stay | undefined {
  const from = Math.max(a.from, b.from);
  const to = Math.min(a.to ?? Number.POSITIVE_INFINITY, b.to ?? Number.POSITIVE_INFINITY);
  return to <= from ? undefined : { from, to: to === Number.POSITIVE_INFINITY ? undefined : to };
}

/**
 * A stay as far as other pairings of the same vehicle or driver allow: it begins after one that covers its start and ends
 * where a later one begins. One that is open ends where the stay begins. Undefined if nothing is left.
 */
export function fitBetween(stay: Stay, others: readonly Stay[]): Stay | undefined {
  let { from, to } = stay;
  for (const other of [...others].sort((a, b) => a.from - b.from)) {
    if (other.from <= from && other.to !== undefined && other.to > from) from = other.to;
    if (other.from === stay.from && other.to === undefined) return undefined;
    if (other.from > from) to = Math.min(to ?? Number.POSITIVE_INFINITY, other.from);
  }
  return to !== undefined && to <= from ? undefined : { from, to };
}
