import type { z } from 'zod';
import type { ErrorCode } from '../../../platform/errors.ts';
import type { Scope } from '../access/index.ts';

export type ColumnType = 'text' | 'text[]' | 'boolean' | 'int' | 'float8' | 'numeric' | 'timestamptz' | 'jsonb';

export interface Column {
  /** in the table */
  readonly name: string;
  readonly type: ColumnType;
  /** table that the value, or each value of a list, refers to by id (or name), and the error code if it does not exist */
  readonly refersTo?: {
    readonly table: string;
    readonly unknown: ErrorCode;
    readonly byName: boolean;
    /** column of the name; `name` unless given */
    readonly column?: string;
    readonly normalise?: (name: string) => string;
  };
  /** what an empty cell of a CSV file means; null unless given */
  readonly empty?: unknown;
  /** SQL of what is shown, where that is not the column; the row is `t` */
  readonly shown?: string;
}

/** The definition of a kind of record: table, names, schemas. Its routes, CSV and store are derived from it. */
export interface Kind {
  readonly singular: string;
  /** path under /v1 and tag */
  readonly plural: string;
  readonly prefix: string;
  readonly table: string;
  readonly read: Scope;
  readonly write: Scope;
  readonly unknown: ErrorCode;
  /** field in JSON → column */
  readonly columns: Readonly<Record<string, Column>>;
  /** natural key, unique in the tenant; accepted in place of the id in paths and CSV */
  readonly key?: { readonly field: string; readonly normalise: (text: string) => string };
  /** further fields that are unique in the tenant */
  readonly unique?: readonly string[];
  /** What is wrong with a record as a whole, before it is stored. */
  readonly refusal?: (fields: Readonly<Record<string, unknown>>) => string | undefined;
  /** only callers who see all vehicles may change records */
  readonly isOfWholeFleet?: true;
  /** fields that `q` searches */
  readonly searched: readonly string[];
  /** additional error codes for invalid bodies */
  readonly invalid?: readonly ErrorCode[];
  /** an import, for the API document */
  readonly csvExample: string;
  readonly create: z.ZodObject;
  readonly change: z.ZodObject;
  readonly shown: z.ZodObject;
}

/** A row of the table; times are epoch ms. */
export interface RecordRow {
  readonly id: string;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly [field: string]: unknown;
}
