import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Partition } from './archive.ts';

export interface TableFacts {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly partitions: readonly Partition[];
  /** row-level security holds for it */
  readonly secured: boolean;
  /** … and for its owner too, who must step around it: no superuser, and not exempt */
  readonly forced: boolean;
  /** oids of the tables that foreign keys of this one point to */
  readonly refersTo: readonly number[];
}

export interface SequenceFacts {
  readonly schema: string;
  readonly name: string;
  readonly value: string;
  readonly called: boolean;
}

/** The job queue is a projection of the rows and is rebuilt from them. */
const NOT_OURS = `array['information_schema', 'bullmq']`;
/** Transaction ids belong to one server: followers of the feed restart on another. */
const NOT_MOVED = `array['feed', 'feed_cursor']`;

const quoted = (schema: string, name: string): string => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;

/** One connection, on which the text form of every type does not depend on the settings of the server. */
export async function openTransfer(url: string): Promise<TransferStore> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(
    `set client_encoding = 'UTF8'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';
     set bytea_output = 'hex'; set extra_float_digits = 1; set statement_timeout = 0;
     set search_path = pg_catalog`,
  );
  return new TransferStore(client);
}

const POLICY = 'fleetgate_export';

export class TransferStore {
  readonly #client: pg.Client;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async version(): Promise<string> {
    const { rows } = await this.#client.query<{ version: string }>(
      `select current_setting('server_version') as version`,
    );
    return rows[0]!.version;
  }

  /** All reads until `commit` use one snapshot. Tables of positions are neither emptied nor dropped until then. */
  async beginSnapshot(): Promise<void> {
    const { rows } = await this.#client.query<{ name: string }>(
      `select t.name from unnest(array['fleetgate.position', 'fleetgate.position_narrow']) t (name)
       where to_regclass(t.name) is not null`,
    );
    await this.#client.query('begin isolation level repeatable read read only');
    // the snapshot is taken by the first query, after the locks
    for (const { name } of rows) await this.#client.query(`lock table ${name} in access share mode`);
  }

  async begin(): Promise<void> {
    await this.#client.query('begin');
  }

  async commit(): Promise<void> {
    await this.#client.query('commit');
  }

  async rollback(): Promise<void> {
    await this.#client.query('rollback');
  }

  /** Tables of every schema but the system's and the job queue's; a partitioned one as a whole. Those that others refer to come first. */
  async tables(): Promise<TableFacts[]> {
    const { rows } = await this.#client.query<TableFacts>(`
      select c.oid::int8::float8 as oid, n.nspname as schema, c.relname as name, c.relrowsecurity as secured,
        c.relforcerowsecurity and not (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as forced,
        array(select a.attname::text from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
              order by a.attnum) as columns,
        coalesce((select json_agg(json_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid))
                                  order by p.relname)
                  from pg_inherits i join pg_class p on p.oid = i.inhrelid
                  where i.inhparent = c.oid and p.relispartition), '[]') as partitions,
        array(select distinct f.confrelid::int8::float8 from pg_constraint f
              where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as "refersTo"
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
        and n.nspname !~ '^pg_' and n.nspname <> all (${NOT_OURS}) and c.relname <> all (${NOT_MOVED})
        and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      order by n.nspname, c.relname`);
    return inOrderOfReference(rows);
  }

  async sequences(): Promise<SequenceFacts[]> {
    const { rows } = await this.#client.query<{ schema: string; name: string }>(`
      select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'S' and n.nspname !~ '^pg_' and n.nspname <> all (${NOT_OURS}) order by 1, 2`);
    const sequences: SequenceFacts[] = [];
    for (const { schema, name } of rows) {
      const state = await this.#client.query<{ value: string; called: boolean }>(
        `select last_value::text as value, is_called as called from ${quoted(schema, name)}`,
      );
      sequences.push({ schema, name, ...state.rows[0]! });
    }
    return sequences;
  }

  /** Files that hold positions and frames of the snapshot, relative to HISTORY_URL; none in databases of before these files. */
  async historyFiles(): Promise<string[]> {
    const paths: string[] = [];
    for (const table of ['history_file', 'history_frame_file']) {
      const known = await this.#client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
        `fleetgate.${table}`,
      ]);
      if (!known.rows[0]!.exists) continue;
      const { rows } = await this.#client.query<{ path: string }>(`select path from fleetgate.${table} order by path`);
      paths.push(...rows.map(({ path }) => path));
    }
    return paths;
  }

  async hasRows(table: TableFacts): Promise<boolean> {
    const { rowCount } = await this.#client.query(`select 1 from ${quoted(table.schema, table.name)} limit 1`);
    return rowCount !== 0;
  }

  /** The rows of a table as COPY text. */
  copyOut(table: TableFacts): Readable & { readonly rowCount: number } {
    // A partitioned table is no source of COPY by its name alone.
    const columns = table.columns.map((c) => pg.escapeIdentifier(c)).join(', ');
    return this.#client.query(
      copyTo(`copy (select ${columns} from ${quoted(table.schema, table.name)}) to stdout`),
    ) as Readable & { readonly rowCount: number };
  }

  copyIn(schema: string, name: string, columns: readonly string[]): Writable & { readonly rowCount: number } {
    const list = columns.map((c) => pg.escapeIdentifier(c)).join(', ');
    return this.#client.query(copyFrom(`copy ${quoted(schema, name)} (${list}) from stdin`)) as Writable & {
      readonly rowCount: number;
    };
  }

  /** Lets the owner read every row where row-level security is forced on it, until `closePolicies`. */
  async openPolicies(tables: readonly TableFacts[]): Promise<void> {
    await this.closePolicies(tables);
    for (const t of tables.filter(({ forced }) => forced)) {
      const table = quoted(t.schema, t.name);
      await this.#client.query(`create policy ${POLICY} on ${table} for select to current_user using (true)`);
    }
    // Row-level security that hides rows is an error, so that no rows are silently missing.
    if (!tables.some(({ forced }) => forced)) await this.#client.query('set row_security = off');
  }

  async closePolicies(tables: readonly TableFacts[]): Promise<void> {
    for (const t of tables.filter(({ forced }) => forced)) {
      await this.#client.query(`drop policy if exists ${POLICY} on ${quoted(t.schema, t.name)}`);
    }
  }

  /** Empties the tables, and keeps their own triggers quiet until `restore`: what those made is imported too. */
  async prepare(tables: readonly TableFacts[]): Promise<void> {
    if (tables.length === 0) return;
    // tables that are not moved may refer to them
    await this.#client.query(`truncate ${tables.map((t) => quoted(t.schema, t.name)).join(', ')} cascade`);
    for (const t of tables) {
      await this.#client.query(`alter table ${quoted(t.schema, t.name)} disable trigger user`);
      // COPY does not write where policies hold.
      if (t.forced) await this.#client.query(`alter table ${quoted(t.schema, t.name)} no force row level security`);
    }
  }

  async restore(tables: readonly TableFacts[]): Promise<void> {
    // Those of foreign keys are judged now; a table with judgements pending cannot be altered.
    await this.#client.query('set constraints all immediate');
    for (const t of tables) {
      await this.#client.query(`alter table ${quoted(t.schema, t.name)} enable trigger user`);
      if (t.forced) await this.#client.query(`alter table ${quoted(t.schema, t.name)} force row level security`);
    }
  }

  async makePartition(parent: TableFacts, { name, bound }: Partition): Promise<void> {
    const part = quoted(parent.schema, name);
    await this.#client.query(
      `create table if not exists ${part} partition of ${quoted(parent.schema, parent.name)} ${bound}`,
    );
    // Its parent's policies do not hold for one who asks it by its own name.
    if (parent.secured) await this.#client.query(`alter table ${part} enable row level security`);
  }

  async setSequence({ schema, name, value, called }: SequenceFacts): Promise<void> {
    await this.#client.query('select setval($1::regclass, $2::bigint, $3)', [quoted(schema, name), value, called]);
  }

  async analyze(): Promise<void> {
    await this.#client.query('analyze');
  }
}

function inOrderOfReference(tables: readonly TableFacts[]): TableFacts[] {
  const ordered: TableFacts[] = [];
  const seen = new Set<number>();
  const visit = (table: TableFacts): void => {
    if (seen.has(table.oid)) return;
    seen.add(table.oid);
    for (const oid of table.refersTo) {
      const other = tables.find((t) => t.oid === oid);
      if (other !== undefined) visit(other);
    }
    ordered.push(table);
  };
  for (const table of tables) visit(table);
  return ordered;
}
