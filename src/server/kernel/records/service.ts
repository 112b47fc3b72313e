import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import { restrictedUser } from '../../../platform/restriction.ts';
import { type Cursors, toPage } from '../http/index.ts';
import type { Kind, RecordRow } from './kind.ts';
import * as store from './store.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface RecordList {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly q?: string | undefined;
  readonly equal?: Fields;
}

/** Records of one kind. All throw AppError with the code of the kind if the record does not exist. */
export interface Records {
  readonly kind: Kind;
  find(tenantId: number, name: string): Promise<RecordRow>;
  list(tenantId: number, query: RecordList): Promise<{ items: RecordRow[]; nextCursor: string | null }>;
  /** Throws AppError `conflict` if the name is taken, and the codes of unknown references. */
  create(tenantId: number, fields: Fields): Promise<RecordRow>;
  /** Throws AppError `precondition-failed` if the record has another version. */
  change(
    tenantId: number,
    name: string,
    fields: Fields,
    version: number | undefined,
  ): Promise<{ before: RecordRow; after: RecordRow }>;
  remove(tenantId: number, name: string, version: number | undefined): Promise<RecordRow>;
}

export function createRecords(app: pg.Pool, kind: Kind, cursors: Cursors): Records {
  const find = async (tenantId: number, name: string): Promise<RecordRow> => {
    const row = await store.find(app, tenantId, kind, { id: name, key: kind.key?.normalise(name) ?? name });
    if (row === undefined) throw new AppError(kind.unknown);
    return row;
  };
  const findAt = async (tenantId: number, name: string, version: number | undefined): Promise<RecordRow> => {
    const row = await find(tenantId, name);
    if (version !== undefined && row.version !== version) throw new AppError('precondition-failed');
    return row;
  };
  const prepare = async (tenantId: number, fields: Fields): Promise<Fields> => {
    const prepared: Record<string, unknown> = { ...fields };
    const { key } = kind;
    const named = key === undefined ? undefined : fields[key.field];
    if (key !== undefined && typeof named === 'string') prepared[key.field] = key.normalise(named);
    for (const [field, { refersTo }] of Object.entries(kind.columns)) {
      const value = fields[field];
      if (refersTo === undefined) continue;
      if (typeof value !== 'string' && !Array.isArray(value)) continue;
      const names = typeof value === 'string' ? [value] : (value as string[]);
      const found = await store.resolve(app, tenantId, refersTo, names);
      const unknown = names.find((name) => !found.has(name));
      if (unknown !== undefined)
        throw new AppError(refersTo.unknown, names.length === 1 ? undefined : `${unknown} is not known`);
      const ids = [...new Set(found.values())];
      prepared[field] = typeof value === 'string' ? ids[0] : ids;
    }
    return prepared;
  };
  const requireAllowed = (fields?: Fields): void => {
    if (kind.isOfWholeFleet === true && restrictedUser() !== undefined)
      throw new AppError('missing-scope', 'Only a user of all vehicles may write this');
    const refusal = fields === undefined ? undefined : kind.refusal?.(fields);
    if (refusal !== undefined) throw new AppError('invalid', refusal);
  };
  return {
    kind,
    find,
    async list(tenantId, { limit, cursor, q, equal = {} }) {
      const filter = [kind.table, tenantId, q ?? null, equal];
      const after = cursor === undefined ? '' : String(cursors.read(cursor, filter)[0]);
      const rows = await store.list(app, tenantId, kind, { after, limit: limit + 1, q, equal });
      return toPage(
        rows,
        limit,
        (row) => row,
        ({ id }) => cursors.write([id], filter),
      );
    },
    async create(tenantId, fields) {
      requireAllowed(fields);
      const id = `${kind.prefix}_${randomBytes(9).toString('hex')}`;
      const prepared = await prepare(tenantId, fields);
      await unlessTaken(kind, () => store.insert(app, tenantId, kind, id, prepared));
      return find(tenantId, id);
    },
    async change(tenantId, name, fields, version) {
      const before = await findAt(tenantId, name, version);
      requireAllowed({ ...before, ...fields });
      const prepared = await prepare(tenantId, fields);
      const changed = await unlessTaken(kind, () => store.update(app, tenantId, kind, before, prepared));
      if (changed === 0) throw new AppError('precondition-failed');
      return { before, after: await find(tenantId, before.id) };
    },
    async remove(tenantId, name, version) {
      requireAllowed();
      const row = await findAt(tenantId, name, version);
      if ((await store.remove(app, tenantId, kind, row)) === 0) throw new AppError('precondition-failed');
      return row;
    },
  };
}

/** Maps a unique violation to AppError `conflict`: the second of two concurrent inserts fails on the unique index. */
export async function unlessTaken<T>(kind: { readonly singular: string }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== '23505') throw error;
    throw new AppError('conflict', `There is such a ${kind.singular} already`);
  }
}
