/** Items of a group are worked on at the same time: few, since each takes a connection of the database. */
const MOST = 6;

/** Consecutive items in groups in which no two have a key in common. */
export function* independentGroups<T>(items: Iterable<T>, keysOf: (item: T) => readonly string[]): Generator<T[]> {
  let group: T[] = [];
  let taken = new Set<string>();
  for (const item of items) {
    const keys = keysOf(item);
    if (group.length === MOST || keys.some((key) => taken.has(key))) {
      yield group;
      group = [];
      taken = new Set();
    }
    group.push(item);
    for (const key of keys) taken.add(key);
  }
  if (group.length > 0) yield group;
}
