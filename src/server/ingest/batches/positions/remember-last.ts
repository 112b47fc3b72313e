/** Looks a key up only if it is another one than before: records that follow each other are mostly of one device. */
export function rememberLast<K, V>(find: (key: K) => V): (key: K) => V {
  let last: { readonly key: K; readonly value: V } | undefined;
  return (key) => {
    if (last === undefined || last.key !== key) last = { key, value: find(key) };
    return last.value;
  };
}
