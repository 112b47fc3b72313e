/** A position as today's decoder gives it: values by the names of the API, attributes as `attributes.sat`. */
export interface Redecoded {
  /** 22 characters of base64url */
  readonly id: string;
  /** epoch ms, as that of the stored record */
  readonly time: number;
  readonly values: Values;
}

export type Values = Readonly<Record<string, unknown>>;

/** What would become of an attribute in how many positions; the example is the first one. */
export interface Difference {
  changed: number;
  added: number;
  removed: number;
  readonly example: { readonly imei: string; readonly time: string; readonly before: unknown; readonly after: unknown };
}

export interface Comparison {
  /** positions that the decoder gives as they are stored */
  same: number;
  changed: number;
  /** positions that the decoder gives and that are not stored */
  added: number;
  /** stored positions that no frame gives: also those whose frames are not kept */
  missing: number;
  readonly differences: Map<string, Difference>;
}

/** Records of one time: those with the same id are the same, others are compared in their order. */
export function compare(
  imei: string,
  decoded: readonly Redecoded[],
  stored: readonly Redecoded[],
  result: Comparison,
): void {
  const ids = new Set(stored.map(({ id }) => id));
  const known = new Set(decoded.filter(({ id }) => ids.has(id)).map(({ id }) => id));
  result.same += known.size;
  const left = decoded.filter(({ id }) => !known.has(id));
  const before = stored.filter(({ id }) => !known.has(id));
  for (const [index, position] of left.entries()) {
    const other = before[index];
    if (other === undefined) result.added += 1;
    else if (differ(imei, other, position, result.differences)) result.changed += 1;
    else result.same += 1;
  }
  result.missing += Math.max(0, before.length - left.length);
}

function differ(imei: string, before: Redecoded, after: Redecoded, differences: Map<string, Difference>): boolean {
  let isDifferent = false;
  for (const name of new Set([...Object.keys(before.values), ...Object.keys(after.values)])) {
    const [old, fresh] = [before.values[name], after.values[name]];
    if (JSON.stringify(old) === JSON.stringify(fresh)) continue;
    isDifferent = true;
    const example = { imei, time: new Date(before.time).toISOString(), before: old ?? null, after: fresh ?? null };
    const found = differences.get(name) ?? { changed: 0, added: 0, removed: 0, example };
    found[old === undefined ? 'added' : fresh === undefined ? 'removed' : 'changed'] += 1;
    differences.set(name, found);
  }
  return isDifferent;
}
