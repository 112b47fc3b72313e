/** The engine keeps one copy of a property's name: storing by that very string is faster than by a fresh one. */
export const asPropertyName = (text: string): string => Object.keys({ [text]: 0 })[0]!;

/** Names up to this number are made once each. */
const MAX_CACHED_KEYS = 1_024;

/** Keys of attributes in which a number stands for `#`: `fuel#` is `fuel2` for 2. */
export function numberedKey(key: string): (number: number) => string {
  const make = (number: number): string => key.replaceAll('#', String(number));
  const names: (string | undefined)[] = [];
  return (number) => {
    const known = names[number];
    if (known !== undefined) return known;
    if (!(number >= 0 && number < MAX_CACHED_KEYS)) return make(number);
    const name = asPropertyName(make(number));
    names[number] = name;
    return name;
  };
}
