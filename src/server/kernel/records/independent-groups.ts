/** Items of a group are processed concurrently, each on its own database connection. */
const MAX_GROUP_ITEMS = 6;

/** Splits items into consecutive groups in which no two items share a key. */
export function* independentGroups<T>(items: Iterable<T>, keysOf: (item: T) => readonly string[]): Generator<T[]> {
  let group: T[] = [];
  let taken = new Set<string>();
  for (const item of items) {
    const keys = keysOf(item);
    if (group.length === MAX_GROUP_ITEMS || keys.some((key) => taken.has(key))) {
      yield group;
      group = [];
      taken = new Set();
    }
    group.push(item);
    for (const key of keys) taken.add(key);
  }
  if (group.length > 0) yield group;
}
