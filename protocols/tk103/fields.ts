import { type Field, type FieldList, inOrder } from '#codec/binary';
import { numeric, parseHex, type Value, value } from '#codec/text';

/** So many places of `bytes` each, of which as many are used as the mask says; `#` is the number of the place. */
export function places(count: number, bytes: number, fields: FieldList): Field {
  const read = inOrder(fields);
  return (scope) => {
    for (scope.number = 1; scope.number <= count; scope.number++)
      if (scope.number <= scope.mask) read(scope);
      else scope.reader.skip(bytes);
  };
}

/** A number surrounded by spaces; points and spaces alone count 0. */
const numberOf = (text: string): number => Number.parseFloat(text.replaceAll(' ', '')) || 0;

export const speed: Value = numeric(numberOf, ({ draft }, n) => {
  draft.speed = n;
  return true;
});
export const course: Value = numeric(numberOf, ({ draft }, n) => {
  draft.course = n;
  return true;
});

/** A bit of a line, and whether it is reported when it is clear, too. */
type Line = readonly [bit: number, key: string, always?: true];

/** Lines of a hexadecimal digit. */
export const lines = (...rows: readonly Line[]): Value =>
  value((text, { draft }) => {
    const digit = parseHex(text)!;
    for (const [bit, key, always] of rows) {
      const line = (digit >> bit) & 1;
      if (line === 1 || always) draft.attributes[key] = line;
    }
    return true;
  });
