/** Values by key, made at first use. At most `most` stay: those that were used last. */
export function createRecentlyUsed<K, V>(most: number, make: (key: K) => V): (key: K) => V {
  // the least recently used one comes first
  const entries = new Map<K, V>();
  return (key) => {
    const known = entries.has(key) ? entries.get(key)! : make(key);
    entries.delete(key);
    if (entries.size >= most) entries.delete(entries.keys().next().value!);
    entries.set(key, known);
    return known;
  };
}
