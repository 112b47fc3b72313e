import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';

/** A vehicle was driven without a card, by its unit. Times are epoch ms. */
export interface WithoutCardRow {
  readonly plate: string;
  readonly from: number;
  readonly to: number | null;
  readonly fileIds: readonly string[];
  readonly driverBefore: string | null;
  readonly driverAfter: string | null;
  readonly [column: string]: unknown;
}

export interface WithoutCardQuery {
  readonly plate: string | null;
  /** epoch ms */
  readonly from: number;
  readonly to: number;
  readonly after: readonly [from: number, plate: string];
  readonly limit: number;
}

const STAYS = `from vehicle_stay s
  join driver_card c on c.tenant_id = s.tenant_id and c.nation = s.nation and c.number = s.number
  where s.tenant_id = $1 and s.plate = e.plate and s.file_id <> all ((select disbelieved_files())::text[])`;

/** In the order in which they began; in several downloads each once, as long as the longest has it. */
export function listWithoutCard(app: pg.Pool, tenantId: number, query: WithoutCardQuery): Promise<WithoutCardRow[]> {
  const { plate, from, to, after, limit } = query;
  return queryAsTenant<WithoutCardRow>(app, tenantId, {
    name: 'list-without-card',
    text: `with e as (
             select plate, began, max(ended) as ended, array_agg(distinct file_id order by file_id) as files
             from unit_event
             where tenant_id = $1 and kind = 'driving-without-card' and ($2::text is null or plate = $2)
               and file_id <> all ((select disbelieved_files())::text[])
               and began >= to_timestamp($3::float8 / 1000) and began <= to_timestamp($4::float8 / 1000)
               and (began, plate) > (to_timestamp($5::float8 / 1000), $6::text)
             group by plate, began order by began, plate limit $7)
           select e.plate, e.began as "from", e.ended as "to", e.files as "fileIds",
             (select c.driver_id ${STAYS} and s.began < e.began order by s.began desc limit 1) as "driverBefore",
             (select c.driver_id ${STAYS} and s.began >= e.began order by s.began limit 1) as "driverAfter"
           from e order by e.began, e.plate`,
    values: [tenantId, plate, from, to, ...after, limit],
  });
}
