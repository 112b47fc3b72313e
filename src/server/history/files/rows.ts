import type { DuckDBVector } from '@duckdb/node-api';

interface Reader {
  getRowObjectsJS(): unknown;
}

/** Rows of a statement of DuckDB, which has one type for all values. `T` names the columns that the statement selects. */
export const rowsOf = <T>(reader: Reader): T[] => reader.getRowObjectsJS() as T[];

/** The values of a vector as DuckDB holds them; its class declares them as private. */
export const itemsOf = <T>(vector: DuckDBVector): T => (vector as unknown as { readonly items: T }).items;
