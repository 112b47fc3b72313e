/** A position as today's decoder gives it, or as it is stored: values by the names of the API, attributes as `attributes.sat`. */
export interface Redecoded {
  /** 22 characters of base64url */
  readonly id: string;
  /** epoch ms, as that of the stored record */
  readonly time: number;
  /** when the frame, or the record, arrived: the same of both */
  readonly arrivedAt: number;
  readonly values: Values;
}

export type Values = Readonly<Record<string, unknown>>;

/** A difference of one attribute, with the number of positions and the first of them as example. */
export interface Difference {
  changed: number;
  added: number;
  removed: number;
  readonly example: { readonly imei: string; readonly time: string; readonly before: unknown; readonly after: unknown };
}

export interface Comparison {
  /** positions for which the decoder gives the stored values */
  same: number;
  changed: number;
  /** positions that the decoder gives and that are not stored */
  added: number;
  /** stored positions that no frame gives: also those whose frames are not kept */
  missing: number;
  readonly differences: Map<string, Difference>;
}

/** A position that is stored in another way, or not at all, and what the decoder gives. */
export interface Change<D extends Redecoded, S extends Redecoded> {
  readonly before: S | undefined;
  readonly after: D;
}

/**
 * Positions of one device. Those with the same id are the same. Others are compared in their order with those of the same
 * time that arrived at the same instant, then with those of the same time, since a frame may have been sent again, then with
 * those that arrived at the same instant: another decoder may have given another time. `isExpected`: the
 * frame of a stored position should be among those that were decoded.
 */
export function compare<D extends Redecoded, S extends Redecoded>(
  imei: string,
  decoded: readonly D[],
  stored: readonly S[],
  isExpected: (stored: S) => boolean,
  result: Comparison,
): Change<D, S>[] {
  const before = new Map(stored.map((position) => [position.id, position]));
  // a frame that was sent again has the id of the first one
  const after = new Map<string, D>();
  for (const position of decoded) if (!after.has(position.id)) after.set(position.id, position);
  for (const id of [...after.keys()].filter((one) => before.has(one))) {
    before.delete(id);
    after.delete(id);
    result.same += 1;
  }
  const changes: Change<D, S>[] = [];
  for (const keyOf of KEYS) {
    const groups = groupBy(before.values(), keyOf);
    for (const position of after.values()) {
      const other = groups.get(keyOf(position))?.shift();
      if (other === undefined) continue;
      after.delete(position.id);
      before.delete(other.id);
      if (differ(imei, other, position, result.differences)) {
        result.changed += 1;
        changes.push({ before: other, after: position });
      } else result.same += 1;
    }
  }
  for (const position of after.values()) changes.push({ before: undefined, after: position });
  result.added += after.size;
  result.missing += [...before.values()].filter(isExpected).length;
  return changes;
}

const KEYS: readonly ((position: Redecoded) => string)[] = [
  ({ time, arrivedAt }) => `${time} ${arrivedAt}`,
  ({ time }) => String(time),
  ({ arrivedAt }) => String(arrivedAt),
];

function groupBy<T extends Redecoded>(positions: Iterable<T>, keyOf: (position: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const position of positions) {
    const group = groups.get(keyOf(position));
    if (group === undefined) groups.set(keyOf(position), [position]);
    else group.push(position);
  }
  return groups;
}

const MARKS_OF_JUMP: ReadonlySet<string> = new Set(['valid', 'attributes.implausible']);

function differ(imei: string, old: Redecoded, fresh: Redecoded, differences: Map<string, Difference>): boolean {
  const before = { ...old.values, time: old.time };
  const after = { ...fresh.values, time: fresh.time };
  // the mark of a jump is not from the device: it was given among the records of its batch, and stays
  const isMark = (name: string) => old.values['attributes.implausible'] === 'jump' && MARKS_OF_JUMP.has(name);
  let isDifferent = false;
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [one, other] = [(before as Values)[name], (after as Values)[name]];
    if (isMark(name) || JSON.stringify(one) === JSON.stringify(other)) continue;
    isDifferent = true;
    // deviceTime and fixTime have the same value
    if (name === 'time') continue;
    const example = { imei, time: new Date(old.time).toISOString(), before: one ?? null, after: other ?? null };
    const found = differences.get(name) ?? { changed: 0, added: 0, removed: 0, example };
    found[one === undefined ? 'added' : other === undefined ? 'removed' : 'changed'] += 1;
    differences.set(name, found);
  }
  return isDifferent;
}
