import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';
import type { RuleFinding } from '../engine/rules/index.ts';

export type Status = 'open' | 'justified' | 'acknowledged';
type Content = Pick<
  RuleFinding,
  'deltaMinutes' | 'italian' | 'justifiable' | 'evidence' | 'unknownMinutes' | 'remarks'
> &
  // absent in rows of engines before 1.7
  Partial<Pick<RuleFinding, 'derogation'>>;

export interface InfringementRow {
  readonly id: string;
  readonly driverId: string;
  readonly rule: string;
  readonly article: string;
  readonly severity: string | null;
  /** epoch ms */
  readonly from: number;
  readonly to: number;
  /** minutes */
  readonly measured: number;
  readonly limit: number;
  readonly content: Content;
  readonly status: Status;
  readonly note: string | null;
  readonly foundAt: number;
  readonly [column: string]: unknown;
}

export interface LetterOf {
  readonly id: string;
  readonly state: 'issued' | 'signed' | 'refused';
  /** epoch ms */
  readonly issuedAt: number;
  readonly decidedOn: string | null;
}

/** Letters of a row of `driver_letter`, oldest first. */
export const lettersWhere = (condition: string): string => `(
  select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'state', o.state, 'decidedOn', o.decided_on,
    'issuedAt', floor(1000 * extract(epoch from o.issued_at))) order by o.id), '[]')
  from driver_letter o where ${condition})`;

/** With the letters that name it. */
export interface ListedRow extends InfringementRow {
  readonly letters: readonly LetterOf[];
}

const LETTERS = `${lettersWhere('o.tenant_id = i.tenant_id and o.driver_id = i.driver_id and o.named ? i.id')} as letters`;

const COLUMNS = `i.id, i.driver_id as "driverId", i.rule, i.article, i.severity, i.began as "from", i.ended as "to",
  i.measured, i.allowed as "limit", i.content, i.status, i.note, i.found_at as "foundAt"`;

export interface InfringementQuery {
  readonly drivers?: readonly string[] | undefined;
  readonly severity?: string | undefined;
  readonly rule?: string | undefined;
  readonly status?: string | undefined;
  /** epoch ms: that reach into the interval */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const CONDITION = `i.tenant_id = $1 and ($2::text[] is null or i.driver_id = any($2))
  and ($3::text is null or i.severity = $3) and ($4::text is null or i.rule = $4)
  and ($5::text is null or i.status = $5) and ($6::timestamptz is null or i.ended >= $6)
  and ($7::timestamptz is null or i.began <= $7)`;

const stamp = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());
const valuesOf = (tenantId: number, query: InfringementQuery): unknown[] => [
  tenantId,
  query.drivers ?? null,
  query.severity ?? null,
  query.rule ?? null,
  query.status ?? null,
  stamp(query.from),
  stamp(query.to),
];

interface Page {
  readonly after: readonly [at: number, id: string] | undefined;
  readonly limit: number;
}

const LIST = `from infringement i
  where ${CONDITION} and (i.began, i.id) > (coalesce($8::timestamptz, '-infinity'), $9)
  order by i.began, i.id limit $10`;

const valuesOfPage = (tenantId: number, query: InfringementQuery, { after, limit }: Page): unknown[] => [
  ...valuesOf(tenantId, query),
  stamp(after?.[0]),
  after?.[1] ?? '',
  limit,
];

/** Oldest first. */
export function listInfringements(
  app: pg.Pool,
  tenantId: number,
  query: InfringementQuery,
  page: Page,
): Promise<InfringementRow[]> {
  return queryAsTenant<InfringementRow>(app, tenantId, {
    name: 'list-infringements',
    text: `select ${COLUMNS} ${LIST}`,
    values: valuesOfPage(tenantId, query, page),
  });
}

export function listWithLetters(
  app: pg.Pool,
  tenantId: number,
  query: InfringementQuery,
  page: Page,
): Promise<ListedRow[]> {
  return queryAsTenant<ListedRow>(app, tenantId, {
    name: 'list-infringements-with-letters',
    text: `select ${COLUMNS}, ${LETTERS} ${LIST}`,
    values: valuesOfPage(tenantId, query, page),
  });
}

export interface CountRow {
  readonly severity: string | null;
  readonly count: number;
  readonly minEur: number;
  readonly maxEur: number;
  readonly [column: string]: unknown;
}

/** Number by severity, and the sum of Italian fines. */
export function countInfringements(app: pg.Pool, tenantId: number, query: InfringementQuery): Promise<CountRow[]> {
  return queryAsTenant<CountRow>(app, tenantId, {
    name: 'count-infringements',
    text: `select i.severity, count(*)::int as count,
             coalesce(sum((i.content -> 'italian' -> 'fine' ->> 'minEur')::float8), 0) as "minEur",
             coalesce(sum((i.content -> 'italian' -> 'fine' ->> 'maxEur')::float8), 0) as "maxEur"
           from infringement i where ${CONDITION} group by i.severity order by i.severity`,
    values: valuesOf(tenantId, query),
  });
}

export async function decide(
  app: pg.Pool,
  tenantId: number,
  id: string,
  { status, note }: { readonly status: Status; readonly note: string | null | undefined },
): Promise<ListedRow | undefined> {
  const rows = await queryAsTenant<ListedRow>(app, tenantId, {
    text: `update infringement i set status = $3, note = case when $5 then $4 else note end
           where i.tenant_id = $1 and i.id = $2 returning ${COLUMNS}, ${LETTERS}`,
    values: [tenantId, id, status, note ?? null, note !== undefined],
  });
  return rows[0];
}

export async function countOfDriver(
  app: pg.Pool,
  tenantId: number,
  drivers: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queryAsTenant<{ driverId: string; count: number }>(app, tenantId, {
    text: `select driver_id as "driverId", count(*)::int as count from infringement
           where tenant_id = $1 and driver_id = any($2::text[]) and status = 'open' group by driver_id`,
    values: [tenantId, drivers],
  });
  return new Map(rows.map(({ driverId, count }) => [driverId, count]));
}
