import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError, type ErrorCode } from '../../../platform/errors.ts';
import type { Scope } from '../access/index.ts';
import { tenantOf } from '../http/index.ts';
import type { Kind, RecordRow } from './kind.ts';
import { presenter } from './routes.ts';
import type { Fields, Records } from './service.ts';

/** A line of a CSV file: cells by the column names of the header. */
export type Line = Readonly<Record<string, string>>;

export interface Entered {
  readonly id: string;
  readonly outcome: 'created' | 'updated' | 'unchanged';
}

/** A table that can be exported to and imported from CSV. */
export interface CsvTable {
  /** path under /v1 and tag */
  readonly plural: string;
  readonly read: Scope;
  readonly write: Scope;
  /** columns in order, for export and import */
  readonly fields: readonly string[];
  /** an import, for the API document */
  readonly example: string;
  /** the field that identifies the existing record of a line */
  readonly sameBy: string;
  /** fields by which lines may depend on each other; lines without a common value in them are imported concurrently */
  readonly dependsOn: readonly string[];
  /** error codes that refuse the whole import */
  readonly errors?: readonly ErrorCode[];
  page(request: FastifyRequest, cursor: string | undefined): Promise<CsvPage>;
  /** Throws AppError if the lines together exceed a limit; then no line is imported. */
  requireRoom?(request: FastifyRequest, lines: readonly Line[]): Promise<void>;
  /** Throws AppError if the line cannot be imported. */
  importRow(request: FastifyRequest, line: Line): Promise<Entered>;
}

export interface CsvPage {
  readonly items: readonly object[];
  readonly nextCursor: string | null;
}

const PAGE = 500;

/** Throws AppError `invalid` with the first error. */
export function requireValid<T extends z.ZodType>(schema: T, fields: unknown): z.output<T> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new AppError('invalid', `${issue.path.join('.')}: ${issue.message}`);
}

/** The result of `find`, or undefined if it throws an unknown-… error. */
export async function unlessUnknown<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined;
    throw error;
  }
}

/** Parses the cells of the line by kind; an empty cell clears its field. */
export function readCells(line: Line, kinds: Readonly<Record<string, CellKind>>): Record<string, unknown> {
  const given = Object.entries(kinds).filter(([field]) => line[field] !== undefined);
  return Object.fromEntries(given.map(([field, kind]) => [field, readCell(kind, line[field]!)]));
}

export type CellKind = 'text' | 'number' | 'boolean' | 'json';

function readCell(kind: CellKind, text: string): unknown {
  if (text === '') return null;
  if (kind === 'number') return Number(text);
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  // removes the apostrophe that the export adds against formulas
  if (kind === 'text') return text.replace(/^'(?=[=+\-@])/, '');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Records of a kind. */
export function csvTableOf(records: Records): CsvTable {
  const { kind } = records;
  const present = presenter(kind);
  const cells = Object.fromEntries(Object.entries(kind.columns).map(([field, { type }]) => [field, cellKindOf(type)]));
  return {
    plural: kind.plural,
    read: kind.read,
    write: kind.write,
    fields: ['id', ...Object.keys(kind.columns)],
    example: kind.csvExample,
    sameBy: kind.key === undefined ? 'its id' : `its id or ${kind.key.field}`,
    dependsOn: ['id', ...(kind.key === undefined ? [] : [kind.key.field]), ...(kind.unique ?? [])],
    async page(request, cursor) {
      const { items, nextCursor } = await records.list(tenantOf(request), { limit: PAGE, cursor });
      return { items: items.map(present), nextCursor };
    },
    async importRow(request, line) {
      const tenantId = tenantOf(request);
      const known = await findExisting(records, tenantId, line);
      const fields = withEmpty(kind, readCells(line, cells));
      if (known === undefined) {
        const made = await records.create(tenantId, requireValid(kind.create, fields) as Fields);
        return { id: made.id, outcome: 'created' };
      }
      await records.change(tenantId, known.id, requireValid(kind.change, fields) as Fields, undefined);
      return { id: known.id, outcome: 'updated' };
    },
  };
}

/** Cells that are empty with what that means in their column. */
const withEmpty = ({ columns }: Kind, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, value ?? columns[field]?.empty ?? null]));

function cellKindOf(type: Kind['columns'][string]['type']): CellKind {
  if (type === 'int' || type === 'float8' || type === 'numeric') return 'number';
  if (type === 'boolean') return 'boolean';
  return type === 'jsonb' || type === 'text[]' ? 'json' : 'text';
}

/** Throws if the id is unknown; an unknown name creates a record. */
async function findExisting(records: Records, tenantId: number, line: Line): Promise<RecordRow | undefined> {
  const { key } = records.kind;
  if (line['id']) return records.find(tenantId, line['id']);
  const name = key === undefined ? '' : line[key.field];
  return name ? unlessUnknown(() => records.find(tenantId, name)) : undefined;
}
