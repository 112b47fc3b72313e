import { type Arena, ArrayWriter } from '../../../database/index.ts';

/** A column of rows that are inserted together. */
export interface Column {
  readonly name: string;
  /** PostgreSQL's */
  readonly type: string;
  /** an array of its values, the one value that all rows have, or the name of the column that holds the same */
  readonly is: 'array' | 'shared' | 'column';
  readonly value: Buffer | string | number | boolean | null;
}

export const shared = (name: string, type: string, value: Column['value']): Column => ({
  name,
  type,
  is: 'shared',
  value,
});

export const array = (name: string, type: string, writer: ArrayWriter): Column => ({
  name,
  type,
  is: 'array',
  value: writer.finish(),
});

/** Values that are bytes already; undefined: null. */
export function bytesArray(
  arena: Arena,
  name: string,
  type: 'text' | 'json' | 'bytea',
  values: readonly (Buffer | undefined)[],
): Column {
  const most = values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
  const out = new ArrayWriter(arena, type, values.length, most);
  for (const value of values) {
    if (value === undefined) out.absent();
    else out.buffer(value);
  }
  return array(name, type, out);
}
