/** A text as a literal in a statement of DuckDB. */
export const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
