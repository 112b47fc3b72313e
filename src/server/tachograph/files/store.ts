import type pg from 'pg';
import { becomeTenant, type Queryable, queryAsTenant, transaction } from '../../database/index.ts';
import type { FileFacts } from '../engine/reports/file-facts.ts';

export interface FileRow {
  readonly id: string;
  readonly sha256: string;
  readonly name: string;
  readonly size: number;
  readonly kind: FileFacts['kind'];
  readonly generations: readonly string[];
  readonly nation: number | null;
  readonly cardNumber: string | null;
  readonly holder: string | null;
  /** epoch ms */
  readonly cardExpiry: number | null;
  readonly driverId: string | null;
  readonly plate: string | null;
  readonly vin: string | null;
  readonly nextCalibration: number | null;
  /** `yyyy-mm-dd` */
  readonly periodFrom: string | null;
  readonly periodTo: string | null;
  readonly days: number;
  readonly downloadedAt: number | null;
  readonly verdict: FileFacts['verdict'];
  readonly uploadedAt: number;
  readonly analysedAt: number | null;
  readonly isIncomplete: boolean;
  readonly admittedAt: number | null;
  readonly admittedBy: string | null;
  readonly admittedReason: string | null;
  readonly [column: string]: unknown;
}

const COLUMNS = `f.id, encode(f.sha256, 'hex') as sha256, f.name, f.size, f.kind, f.generations, f.nation,
  f.card_number as "cardNumber", f.holder, f.card_expiry as "cardExpiry", f.driver_id as "driverId", f.plate, f.vin,
  f.next_calibration as "nextCalibration", f.period_from::text as "periodFrom", f.period_to::text as "periodTo", f.days,
  f.downloaded_at as "downloadedAt", f.verdict, f.uploaded_at as "uploadedAt", f.analysed_at as "analysedAt",
  f.is_incomplete as "isIncomplete", f.admitted_at as "admittedAt", f.admitted_by as "admittedBy",
  f.admitted_reason as "admittedReason"`;

export interface NewFile {
  readonly id: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly sha256: Uint8Array;
  readonly facts: FileFacts;
  readonly uploadedBy: string;
}

const stamp = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1000).toISOString();

/** The file as it is stored; `isNew` false if the same bytes were there already, which stay as they are. */
export function insertFile(
  app: pg.Pool,
  tenantId: number,
  file: NewFile,
): Promise<{ readonly row: FileRow; readonly isNew: boolean }> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    await bindCards(tx, tenantId, file.facts);
    const isNew = await insertRow(tx, tenantId, file);
    if (isNew) {
      await tx.query('insert into ddd_content (file_id, tenant_id, bytes) values ($1, $2, $3)', [
        file.id,
        tenantId,
        file.bytes,
      ]);
      await insertFacts(tx, tenantId, file);
      await askAnalysis(tx, tenantId, file.id);
    }
    const { rows } = await tx.query<FileRow>(
      `select ${COLUMNS} from ddd_file f where f.tenant_id = $1 and f.sha256 = $2`,
      [tenantId, file.sha256],
    );
    return { row: rows[0]!, isNew };
  });
}

/** Cards that drivers' records name become theirs, with the nation, which only a file contains. */
async function bindCards(tx: Queryable, tenantId: number, { drivers }: FileFacts): Promise<void> {
  await tx.query(
    `insert into driver_card (tenant_id, nation, number, driver_id)
     select $1, c.nation, c.number, d.id from unnest($2::int[], $3::text[]) as c (nation, number)
     join lateral (select id from driver d where d.tenant_id = $1 and card_of(d.card_number) = c.number
                   order by id limit 1) d on true
     on conflict do nothing`,
    [tenantId, drivers.map(({ nation }) => nation), drivers.map(({ number }) => number)],
  );
}

async function insertRow(tx: Queryable, tenantId: number, { facts, ...file }: NewFile): Promise<boolean> {
  const { card, unit, period } = facts;
  const { rowCount } = await tx.query(
    `insert into ddd_file (id, tenant_id, sha256, name, size, kind, generations, nation, card_number, holder,
       card_expiry, driver_id, plate, vin, next_calibration, period_from, period_to, days, downloaded_at, verdict,
       signatures, findings, uploaded_by, is_incomplete)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text, $10, $11,
       (select driver_id from driver_card where tenant_id = $2 and nation = $8 and number = left($9::text, 14)),
       $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
     on conflict (tenant_id, sha256) do nothing`,
    [
      file.id,
      tenantId,
      file.sha256,
      file.name,
      file.bytes.length,
      facts.kind,
      facts.generations,
      card?.nation ?? null,
      card?.number ?? null,
      card?.holder ?? null,
      stamp(card?.expiry ?? null),
      unit?.plate || null,
      unit?.vin || null,
      stamp(unit?.nextCalibration ?? null),
      period?.from ?? null,
      period?.to ?? null,
      period?.days ?? 0,
      stamp(facts.downloadedAt),
      facts.verdict,
      JSON.stringify(facts.signatures),
      JSON.stringify(facts.findings),
      file.uploadedBy,
      facts.isIncomplete,
    ],
  );
  return rowCount === 1;
}

async function insertFacts(tx: Queryable, tenantId: number, { id, facts }: NewFile): Promise<void> {
  const { drivers, stays, events, unit } = facts;
  await tx.query(
    `insert into ddd_card (file_id, tenant_id, nation, number)
     select $1, $2, * from unnest($3::int[], $4::text[]) on conflict do nothing`,
    [id, tenantId, drivers.map(({ nation }) => nation), drivers.map(({ number }) => number)],
  );
  await tx.query(
    `insert into vehicle_stay (file_id, tenant_id, plate, nation, number, slot, began, ended, odometer_from,
                               odometer_to, source)
     select $1, $2, s.plate, s.nation, s.number, s.slot, to_timestamp(s.began), to_timestamp(s.ended), s.odo_from,
            s.odo_to, s.source
     from jsonb_to_recordset($3::jsonb) as s (plate text, nation int, number text, slot text, began float8,
                                              ended float8, odo_from int, odo_to int, source text)`,
    [
      id,
      tenantId,
      JSON.stringify(
        stays.map(({ plate, driver, slot, from, to, odometerFromKm, odometerToKm, source }) => ({
          plate,
          ...driver,
          slot,
          began: from,
          ended: to,
          source,
          odo_from: odometerFromKm,
          odo_to: odometerToKm,
        })),
      ),
    ],
  );
  if (unit === null || unit.plate === '') return;
  await tx.query(
    `insert into unit_event (file_id, tenant_id, plate, kind, began, ended, value)
     select $1, $2, $3, e.kind, to_timestamp(e.from), to_timestamp(e.to), e.value
     from jsonb_to_recordset($4::jsonb) as e (kind text, "from" float8, "to" float8, value float8)`,
    [id, tenantId, unit.plate, JSON.stringify(events)],
  );
}

/** The drivers of a file are analysed again. */
async function askAnalysis(tx: Queryable, tenantId: number, fileId: string): Promise<void> {
  await tx.query(
    `insert into driver_analysis (driver_id, tenant_id, asked_at)
     select distinct d.driver_id, $1::int, clock_timestamp() from ddd_card c
     join driver_card d on d.tenant_id = c.tenant_id and d.nation = c.nation and d.number = c.number
     where c.tenant_id = $1 and c.file_id = $2
     on conflict (driver_id) do update set asked_at = excluded.asked_at`,
    [tenantId, fileId],
  );
}

export interface FileQuery {
  readonly ids?: readonly string[] | undefined;
  readonly waiting?: boolean | undefined;
  readonly drivers?: readonly string[] | undefined;
  readonly plates?: readonly string[] | undefined;
  /** epoch ms: files whose days reach into the interval */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** In the order of their ids, which is that of their uploads. */
export function listFiles(app: pg.Pool, tenantId: number, query: FileQuery): Promise<FileRow[]> {
  const stampOf = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());
  return queryAsTenant<FileRow>(app, tenantId, {
    name: 'list-ddd-files',
    text: `select ${COLUMNS} from ddd_file f
           where f.tenant_id = $1 and f.id > $2 and ($3::text[] is null or f.id = any($3))
             and ($4::bool is null or $4 = (f.driver_id is null and f.card_number is not null))
             and ($5::text[] is null and $6::text[] is null or f.driver_id = any($5) or f.plate = any($6))
             and ($7::timestamptz is null or f.period_to >= ($7::timestamptz)::date)
             and ($8::timestamptz is null or f.period_from <= ($8::timestamptz)::date)
           order by f.id limit $9`,
    values: [
      tenantId,
      query.after ?? '',
      query.ids ?? null,
      query.waiting ?? null,
      query.drivers ?? null,
      query.plates ?? null,
      stampOf(query.from),
      stampOf(query.to),
      query.limit,
    ],
  });
}

export interface JudgedRow {
  readonly signatures: readonly {
    readonly file: string;
    readonly verdict: FileFacts['verdict'];
    readonly reason?: string;
    readonly offset?: number;
  }[];
  readonly findings: readonly {
    readonly code: string;
    readonly where: string;
    readonly offset?: number;
    readonly detail: string;
  }[];
  readonly [column: string]: unknown;
}

export async function readJudgement(app: pg.Pool, tenantId: number, id: string): Promise<JudgedRow | undefined> {
  const rows = await queryAsTenant<JudgedRow>(app, tenantId, {
    text: 'select signatures, findings from ddd_file where tenant_id = $1 and id = $2',
    values: [tenantId, id],
  });
  return rows[0];
}

/** The newest download of a vehicle that is complete and not forged. */
export async function newestUnitFile(app: pg.Pool, tenantId: number, plate: string): Promise<string | undefined> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    text: `select id from ddd_file
           where tenant_id = $1 and plate = $2 and kind = 'vehicle-unit' and not is_incomplete
             and (verdict <> 'invalid' or admitted_at is not null)
           order by downloaded_at desc nulls last, id desc limit 1`,
    values: [tenantId, plate],
  });
  return rows[0]?.id;
}

/** As they came. */
export async function readBytes(app: pg.Pool, tenantId: number, id: string): Promise<Buffer | undefined> {
  const rows = await queryAsTenant<{ bytes: Buffer }>(app, tenantId, {
    text: 'select bytes from ddd_content where tenant_id = $1 and file_id = $2',
    values: [tenantId, id],
  });
  return rows[0]?.bytes;
}

export interface UnverifiableFile {
  readonly id: string;
  readonly tenantId: number;
  readonly bytes: Buffer;
  readonly [column: string]: unknown;
}

/** A file of any tenant with a part to which none of the root certificates led with which it was verified. */
export async function nextUnverifiable(ingest: pg.Pool, fingerprint: string): Promise<UnverifiableFile | undefined> {
  const { rows } = await ingest.query<UnverifiableFile>(
    `select f.id, f.tenant_id as "tenantId", c.bytes from ddd_file f join ddd_content c on c.file_id = f.id
     where f.signatures @> '[{"verdict": "unverifiable"}]' and f.verified_with is distinct from $1 order by f.id limit 1`,
    [fingerprint],
  );
  return rows[0];
}

/** Its drivers are analyzed again if the result differs. The bytes stay as they are. */
export async function saveVerification(
  ingest: pg.Pool,
  { id, tenantId }: UnverifiableFile,
  fingerprint: string,
  result: Pick<FileFacts, 'verdict' | 'signatures'> | undefined,
): Promise<void> {
  await transaction(ingest, async (tx) => {
    const { rowCount } = await tx.query(
      `update ddd_file f set verified_with = $3, verdict = coalesce($4, f.verdict), signatures = coalesce($5, f.signatures)
       from ddd_file before where before.id = f.id and f.tenant_id = $1 and f.id = $2
         and before.signatures is distinct from coalesce($5::jsonb, before.signatures)`,
      [
        tenantId,
        id,
        fingerprint,
        result?.verdict ?? null,
        result === undefined ? null : JSON.stringify(result.signatures),
      ],
    );
    if (rowCount === 1) await askAnalysis(tx, tenantId, id);
    else
      await tx.query('update ddd_file set verified_with = $3 where tenant_id = $1 and id = $2', [
        tenantId,
        id,
        fingerprint,
      ]);
  });
}

export interface CardDriver {
  readonly driverId: string;
  readonly name: string;
  readonly cardNumber: string;
  readonly created: boolean;
  readonly files: number;
  readonly [column: string]: unknown;
}

/**
 * A driver for each card of files that wait, with the name on the card; of one person's cards the newest. Files are
 * assigned by the card number.
 */
export function createDriversOfCards(
  app: pg.Pool,
  tenantId: number,
  fileIds: readonly string[] | null,
  newId: () => string,
): Promise<CardDriver[]> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    const { rows } = await tx.query<{
      nation: number;
      number: string;
      cardNumber: string;
      holder: string | null;
      files: number;
    }>(
      `select f.nation, left(f.card_number, 14) as number, (array_agg(f.card_number order by f.id desc))[1] as "cardNumber",
         (array_agg(f.holder order by f.id desc))[1] as holder, count(*)::int as files
       from ddd_file f
       where f.tenant_id = $1 and f.driver_id is null and f.kind = 'driver-card' and f.card_number is not null
         and ($2::text[] is null or f.id = any($2))
         and not exists (select from driver_card c where c.tenant_id = $1 and c.nation = f.nation
                         and c.number = left(f.card_number, 14))
       group by f.nation, left(f.card_number, 14) order by 2, 1`,
      [tenantId, fileIds],
    );
    const drivers: CardDriver[] = [];
    for (const { nation, number, cardNumber, holder, files } of rows) {
      const known = await tx.query<{ id: string; name: string }>(
        'select id, name from driver where tenant_id = $1 and card_of(card_number) = $2 order by id limit 1',
        [tenantId, number],
      );
      const driverId = known.rows[0]?.id ?? newId();
      const name = known.rows[0]?.name ?? (holder?.trim() || cardNumber);
      if (known.rows[0] === undefined) {
        await tx.query('insert into driver (id, tenant_id, name, card_number) values ($1, $2, $3, $4)', [
          driverId,
          tenantId,
          name.slice(0, 200),
          cardNumber,
        ]);
      }
      await tx.query(
        'insert into driver_card (tenant_id, nation, number, driver_id) values ($1, $2, $3, $4) on conflict do nothing',
        [tenantId, nation, number, driverId],
      );
      drivers.push({ driverId, name, cardNumber, created: known.rows[0] === undefined, files });
    }
    return drivers;
  });
}

/** Gives the cards of files to a driver, and with them every file of theirs. Number of cards. */
export async function bindFiles(
  app: pg.Pool,
  tenantId: number,
  driverId: string,
  ids: readonly string[],
): Promise<number> {
  const rows = await queryAsTenant(app, tenantId, {
    text: `insert into driver_card (tenant_id, nation, number, driver_id)
           select distinct $1::int, f.nation, left(f.card_number, 14), d.id from ddd_file f
           join driver d on d.tenant_id = $1 and d.id = $2
           where f.tenant_id = $1 and f.id = any($3::text[]) and f.card_number is not null
           on conflict (tenant_id, nation, number) do update set driver_id = excluded.driver_id
           returning number`,
    values: [tenantId, driverId, ids],
  });
  return rows.length;
}

export async function isDriver(app: pg.Pool, tenantId: number, id: string): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    text: 'select from driver where tenant_id = $1 and id = $2',
    values: [tenantId, id],
  });
  return rows.length === 1;
}

export interface Admission {
  readonly by: string;
  readonly reason: string;
}

/** Admits a file with invalid signatures, or no longer. Its drivers are analysed again; the bytes stay as they are. */
export function admitFile(app: pg.Pool, tenantId: number, id: string, admission: Admission | null): Promise<void> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    await tx.query(
      `update ddd_file set admitted_at = case when $3::text is null then null else clock_timestamp() end,
         admitted_by = $3, admitted_reason = $4
       where tenant_id = $1 and id = $2`,
      [tenantId, id, admission?.by ?? null, admission?.reason ?? null],
    );
    await askAnalysis(tx, tenantId, id);
  });
}

/** False if there is no such file. Its drivers are analysed again. */
export function deleteFile(app: pg.Pool, tenantId: number, id: string): Promise<boolean> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    await askAnalysis(tx, tenantId, id);
    return (await tx.query('delete from ddd_file where tenant_id = $1 and id = $2', [tenantId, id])).rowCount === 1;
  });
}
