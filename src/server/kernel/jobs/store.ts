import { type Queryable, textArray } from '../../database/index.ts';

/**
 * A table whose rows are jobs. All members are constants of the code, since they become part of statements: `j` is a row of
 * the table, `c` in `columns` and `joins` a row that was claimed.
 */
export interface JobTable {
  /** prefix of the names of the prepared statements */
  readonly name: string;
  readonly table: string;
  readonly key: string;
  /** column of the time from which a row may be claimed: due time of a job that waits, end of the lease of one that runs */
  readonly until: string;
  /** `until` can be null, for a job that was never claimed */
  readonly isUntilNullable?: boolean;
  /** condition of rows that are not finished; `values` of the claim are $3 and following ($5 with `group`) */
  readonly isOpen: string;
  /** what is claimed first; `until` unless given */
  readonly order?: string;
  /** expression of which at most `perGroup` jobs are claimed at once */
  readonly group?: string;
  /** assignments of a claim */
  readonly onClaim?: string;
  readonly columns: string;
  readonly joins?: string;
}

/** The end of the lease, to the microsecond, is its token: a later claim of the same job has a later end. */
export interface Leased {
  /** changes when the lease is renewed */
  lease: string;
}

export interface ClaimQuery {
  readonly limit: number;
  readonly leaseMs: number;
  /** of a table with `group` */
  readonly groups?: { readonly perGroup: number; readonly busy: readonly string[] };
  readonly values?: readonly unknown[];
}

/** Assignments at the end of an attempt; their values are $3 and following. */
interface Change {
  /** part of the name of the prepared statement */
  readonly name: string;
  readonly set: string;
}

/** Rows that are locked to choose jobs of several groups. */
const MAX_CANDIDATES = 500;

const interval = (ms: string): string => `${ms}::float8 * interval '1 millisecond'`;

function chosenOf({ table, key, until, isUntilNullable = false, isOpen, order = until, group }: JobTable): string {
  const end = isUntilNullable ? `coalesce(j.${until}, '-infinity')` : `j.${until}`;
  const due = `from ${table} j where ${isOpen} and ${end} <= now()`;
  if (group === undefined) {
    return `chosen as (select j.${key} as key ${due} order by j.${order} limit $1 for update skip locked)`;
  }
  return `due as materialized (
            select j.${key} as key, ${group} as grouped_by, j.${order} as place ${due} and ${group} <> all($4::text[])
            order by j.${order} limit ${MAX_CANDIDATES} for update skip locked),
          ranked as (select key, place, row_number() over (partition by grouped_by order by place, key) as rank from due),
          chosen as (select key from ranked where rank <= $3 order by place limit $1)`;
}

/**
 * Claims jobs that are due: those that wait, and those whose process has died and let the lease end. Rows that another
 * process is claiming are passed over.
 */
export async function claim<R>(
  db: Queryable,
  jobs: JobTable,
  { limit, leaseMs, groups, values = [] }: ClaimQuery,
): Promise<(R & Leased)[]> {
  const { name, table, key, until, onClaim, columns, joins = '' } = jobs;
  const { rows } = await db.query<R & Leased>({
    name: `${name}-claim`,
    text: `with ${chosenOf(jobs)}, c as (
             update ${table} j set ${until} = now() + ${interval('$2')}${onClaim === undefined ? '' : `, ${onClaim}`}
             from chosen where j.${key} = chosen.key returning j.*)
           select ${columns}, c.${until}::text as lease from c ${joins}`,
    values: [limit, leaseMs, ...(groups === undefined ? [] : [groups.perGroup, textArray(groups.busy)]), ...values],
  });
  return rows;
}

/** False if the lease is another process's now. */
export async function renew(
  db: Queryable,
  { name, table, key, until }: JobTable,
  id: unknown,
  leased: Leased,
  leaseMs: number,
): Promise<boolean> {
  const { rows } = await db.query<Leased>({
    name: `${name}-renew`,
    text: `update ${table} j set ${until} = now() + ${interval('$3')}
           where j.${key} = $1 and j.${until} = $2::timestamptz returning j.${until}::text as lease`,
    values: [id, leased.lease, leaseMs],
  });
  const [row] = rows;
  if (row !== undefined) leased.lease = row.lease;
  return row !== undefined;
}

/** Ends an attempt. False if the lease is another process's now: nothing is changed. */
export async function end(
  db: Queryable,
  { name, table, key, until }: JobTable,
  id: unknown,
  { lease }: Leased,
  change: Change,
  values: readonly unknown[] = [],
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: `${name}-${change.name}`,
    text: `update ${table} j set ${change.set} where j.${key} = $1 and j.${until} = $2::timestamptz`,
    values: [id, lease, ...values],
  });
  return rowCount === 1;
}

/** A job that has failed is due again after a pause; 0 releases it. False if the lease is another process's now. */
export const postpone = (
  db: Queryable,
  jobs: JobTable,
  id: unknown,
  leased: Leased,
  pauseMs: number,
): Promise<boolean> =>
  end(db, jobs, id, leased, { name: 'postpone', set: `${jobs.until} = now() + ${interval('$3')}` }, [pauseMs]);

/** A table whose rows are held by processes for as long as they live. `j` is a row of the table. */
export interface HeldTable {
  readonly name: string;
  readonly table: string;
  /** column of type text */
  readonly key: string;
  readonly owner: string;
  readonly until: string;
  /** joins and condition of rows that may be held */
  readonly joins?: string;
  readonly isOpen?: string;
  readonly columns: string;
}

export interface HoldQuery {
  /** process that asks */
  readonly owner: string;
  readonly leaseMs: number;
  /** rows that it may hold, all unless given; what it holds beyond that is released */
  readonly most?: number;
  /** rows that it takes over at once, all that it may hold unless given */
  readonly mostNew?: number;
  /** keys to choose from; all unless given */
  readonly keys?: readonly string[];
}

const MAX_HELD = 2 ** 31 - 1;

/** Renews the leases of a process and takes over rows that are free, in the order of their keys. What it holds now. */
export async function hold<R>(db: Queryable, held: HeldTable, query: HoldQuery): Promise<R[]> {
  const { name, table, key, owner, until, joins = '', isOpen = 'true', columns } = held;
  const { leaseMs, most = MAX_HELD, mostNew = most, keys } = query;
  const open = `from ${table} j ${joins} where ${isOpen} and ($5::text[] is null or j.${key} = any($5))`;
  const { rows } = await db.query<R & { readonly [column: string]: unknown }>({
    name: `${name}-hold`,
    text: `with own as (select j.${key} as key, row_number() over (order by j.${key}) as n ${open} and j.${owner} = $1),
                free as (select j.${key} as key ${open} and j.${until} < now() and j.${owner} is distinct from $1
                         order by j.${key} limit least($4::int8, greatest(0, $3::int8 - (select count(*) from own)))
                         for update of j skip locked),
                released as (update ${table} set ${owner} = null, ${until} = '-infinity'
                             where ${owner} = $1 and ${key} in (select key from own where n > $3)),
                held as (update ${table} set ${owner} = $1, ${until} = now() + ${interval('$2')}
                         where ${key} in (select key from free)
                            or (${owner} = $1 and ${key} in (select key from own where n <= $3)) returning *)
           select ${columns} from held j ${joins} order by j.${key}`,
    values: [query.owner, leaseMs, most, mostNew, keys === undefined ? null : textArray(keys)],
  });
  return rows;
}

/** Frees what a process holds, or only the row with this key. */
export async function release(
  db: Queryable,
  { name, table, key, owner, until }: HeldTable,
  holder: string,
  only: string | null = null,
): Promise<void> {
  await db.query({
    name: `${name}-release`,
    text: `update ${table} set ${owner} = null, ${until} = '-infinity'
           where ${owner} = $1 and ($2::text is null or ${key} = $2)`,
    values: [holder, only],
  });
}
