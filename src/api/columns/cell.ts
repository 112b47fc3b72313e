/** A column of rows that are inserted together. */
export interface Cell {
  readonly name: string;
  /** PostgreSQL's */
  readonly type: string;
  /** an array of its values, the one value that all rows have, or the name of the column that holds the same */
  readonly is: 'array' | 'shared' | 'column';
  readonly value: Buffer | string | number | boolean | null;
}

export const shared = (name: string, type: string, value: Cell['value']): Cell => ({ name, type, is: 'shared', value });
