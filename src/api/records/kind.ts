import type { z } from 'zod';
import type { ErrorCode } from '../../platform/errors.ts';
import type { Scope } from '../access/index.ts';

export type ColumnType = 'text' | 'int' | 'float8' | 'numeric' | 'timestamptz' | 'jsonb';

export interface Column {
  /** in the table */
  readonly name: string;
  readonly type: ColumnType;
  /** table of the tenant that the value is an id (or a name) of, and the error code where it is not */
  readonly refersTo?: { readonly table: string; readonly unknown: ErrorCode; readonly byName: boolean };
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
  /** field by which people name it, unique in the tenant; beside `id` it stands in paths and in CSV */
  readonly key?: { readonly field: string; readonly normalise: (text: string) => string };
  /** further fields that are unique in the tenant */
  readonly unique?: readonly string[];
  /** fields that `q` searches */
  readonly searched: readonly string[];
  /** codes of its own that a body is refused with */
  readonly invalid?: readonly ErrorCode[];
  readonly create: z.ZodObject;
  readonly change: z.ZodObject;
  readonly shown: z.ZodObject;
}

/** As it lies in the table; times are epoch ms. */
export interface RecordRow {
  readonly id: string;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly [field: string]: unknown;
}
