import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import { becomeTenant, type Queryable, queryAsTenant, transaction } from '../../database/index.ts';
import type { DriverCase } from '../infringements/document.ts';
import { type LetterOf, lettersWhere } from '../infringements/store.ts';

export const LETTER_STATES = ['issued', 'signed', 'refused'] as const;
export type LetterState = (typeof LETTER_STATES)[number];

/** What a letter says, as it was when it was issued. */
export interface LetterContent {
  readonly driver: DriverCase['driver'];
  readonly infringements: DriverCase['infringements'];
  readonly files: DriverCase['files'];
  readonly zone: string;
  readonly employer: string;
  /** plates by infringement; absent in letters before it was recorded */
  readonly vehicles?: Readonly<Record<string, readonly string[]>>;
}

export interface LetterRow {
  readonly id: string;
  readonly driverId: string;
  readonly language: 'it' | 'en';
  /** `yyyy-mm-dd` */
  readonly from: string;
  readonly to: string;
  readonly content: LetterContent;
  readonly state: LetterState;
  readonly note: string | null;
  readonly issuedBy: string;
  readonly issuedByName: string;
  readonly issuedAt: number;
  readonly decidedOn: string | null;
  readonly decidedBy: string | null;
  readonly decidedByName: string | null;
  /** letters before that name one of its infringements */
  readonly earlier: readonly LetterOf[];
  readonly [column: string]: unknown;
}

const EARLIER = lettersWhere(
  'o.tenant_id = l.tenant_id and o.driver_id = l.driver_id and o.id < l.id and o.named ?| array(select jsonb_array_elements_text(l.named))',
);
const COLUMNS = `id, driver_id as "driverId", language, period_from::text as "from", period_to::text as "to", content, state,
  note, issued_by as "issuedBy", author_name(issued_by) as "issuedByName", issued_at as "issuedAt",
  decided_on::text as "decidedOn", decided_by as "decidedBy", author_name(decided_by) as "decidedByName", ${EARLIER} as earlier`;

export interface NewLetter {
  readonly driverId: string;
  readonly language: 'it' | 'en';
  readonly from: string;
  readonly to: string;
  readonly content: LetterContent;
  readonly note: string | null;
  readonly issuedBy: string;
  /** epoch ms */
  readonly issuedAt: number;
  /** false: throws AppError `letter-exists` if a letter names one of the infringements */
  readonly repeats: boolean;
}

/** Ids ascend in the order in which letters are issued. */
export async function insertLetter(app: pg.Pool, tenantId: number, letter: NewLetter): Promise<LetterRow> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    if (!letter.repeats) await demandFirst(tx, tenantId, letter);
    return insertRow(tx, tenantId, letter);
  });
}

/** Letters to a driver that are to be the first are issued one after the other. */
async function demandFirst(tx: Queryable, tenantId: number, { driverId, content }: NewLetter): Promise<void> {
  await tx.query('select from driver where tenant_id = $1 and id = $2 for no key update', [tenantId, driverId]);
  const { rows } = await tx.query<{ id: string; state: LetterState; on: string }>(
    `select id, state, coalesce(decided_on, (issued_at at time zone $4)::date)::text as "on" from driver_letter
     where tenant_id = $1 and driver_id = $2 and named ?| $3::text[] order by id desc limit 1`,
    [tenantId, driverId, content.infringements.map(({ id }) => id), content.zone],
  );
  const [last] = rows;
  if (last === undefined) return;
  throw new AppError('letter-exists', `Letter ${last.id} names one of the infringements; ${last.state} on ${last.on}`);
}

const ID = { prefix: 'ltr_', digits: 12 };

/** Of the instant, or above the last one: letters of the same ms have an order too, and clocks are set back. */
async function nextId(tx: Queryable, tenantId: number, issuedAt: number): Promise<string> {
  const { rows } = await tx.query<{ id: string | null }>(
    'select max(id) as id from driver_letter where tenant_id = $1',
    [tenantId],
  );
  const last = rows[0]!.id?.slice(ID.prefix.length, ID.prefix.length + ID.digits) ?? '0';
  const instant = Math.max(issuedAt, Number.parseInt(last, 16) + 1);
  return `${ID.prefix}${instant.toString(16).padStart(ID.digits, '0')}${randomBytes(4).toString('hex')}`;
}

async function insertRow(tx: Queryable, tenantId: number, letter: NewLetter): Promise<LetterRow> {
  const id = await nextId(tx, tenantId, letter.issuedAt);
  const { rows } = await tx.query<LetterRow>({
    text: `insert into driver_letter as l (id, tenant_id, driver_id, language, period_from, period_to, content, note, issued_by,
             issued_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${COLUMNS}`,
    values: [
      id,
      tenantId,
      letter.driverId,
      letter.language,
      letter.from,
      letter.to,
      JSON.stringify(letter.content),
      letter.note,
      letter.issuedBy,
      new Date(letter.issuedAt).toISOString(),
    ],
  });
  return rows[0]!;
}

export function listLetters(
  app: pg.Pool,
  tenantId: number,
  query: {
    readonly driverId: string | null;
    readonly state: LetterState | null;
    readonly id: string | null;
    readonly after: string;
    readonly limit: number;
  },
): Promise<LetterRow[]> {
  return queryAsTenant<LetterRow>(app, tenantId, {
    name: 'list-driver-letters',
    text: `select ${COLUMNS} from driver_letter l
           where tenant_id = $1 and ($2::text is null or driver_id = $2) and ($3::text is null or state = $3)
             and ($4::text is null or id = $4) and id > $5 order by id limit $6`,
    values: [tenantId, query.driverId, query.state, query.id, query.after, query.limit],
  });
}

export interface LetterDecision {
  readonly state: LetterState;
  readonly on: string | null;
  readonly by: string;
  /** undefined: stays */
  readonly note: string | null | undefined;
}

/**
 * With the signature of the driver, open infringements of the letter are acknowledged; without it they are open again,
 * unless another signed letter names them.
 */
export function decideLetter(
  app: pg.Pool,
  tenantId: number,
  id: string,
  { state, on, by, note }: LetterDecision,
): Promise<LetterRow | undefined> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    const { rows } = await tx.query<LetterRow>(
      `update driver_letter l set state = $3, decided_on = $4::date, decided_by = $5,
         note = case when $7 then $6 else note end
       where tenant_id = $1 and id = $2 returning ${COLUMNS}`,
      [tenantId, id, state, on, on === null ? null : by, note ?? null, note !== undefined],
    );
    const letter = rows[0];
    if (letter?.state === 'signed') {
      const named = letter.content.infringements.map((infringement) => infringement.id);
      await tx.query(
        `with now as (
           update infringement set status = 'acknowledged'
           where tenant_id = $1 and id = any($2::text[]) and status = 'open' returning id)
         update driver_letter set acknowledged = array(
           select id from now
           union select ack from driver_letter o cross join unnest(o.acknowledged) as ack
             where o.tenant_id = $1 and o.driver_id = $4 and ack = any($2::text[]))
         where tenant_id = $1 and id = $3`,
        [tenantId, named, id, letter.driverId],
      );
    } else if (letter !== undefined) {
      await tx.query(
        `with mine as (select acknowledged as ids from driver_letter where tenant_id = $1 and id = $2),
         signed as (
           select each ->> 'id' as id from driver_letter o cross join jsonb_array_elements(o.content -> 'infringements') as each
           where o.tenant_id = $1 and o.driver_id = $3 and o.id <> $2 and o.state = 'signed'),
         reopened as (
           update infringement i set status = 'open' from mine
           where i.tenant_id = $1 and i.id = any(mine.ids) and i.status = 'acknowledged' and i.id not in (select id from signed))
         update driver_letter set acknowledged = '{}' where tenant_id = $1 and id = $2`,
        [tenantId, id, letter.driverId],
      );
    }
    return letter;
  });
}
