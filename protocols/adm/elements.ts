const numbered = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${name}${at + 1}`);

/** Keys of the blocks of fixed layout, in their order. */
export const KEYS = {
  out: numbered('out', 4),
  adc: numbered('adc', 6),
  count: numbered('count', 2),
  fuel: numbered('fuel', 3),
  temp: numbered('temp', 3),
} as const;

/** Values of the bus block that have a name; the others are `can<number>`. The battery's is a raw one. */
export const BLOCK_KEYS: ReadonlyMap<number, string> = new Map([
  [1, 'temp1'],
  [2, 'humidity'],
  [3, 'illumination'],
  [4, 'battery'],
]);
