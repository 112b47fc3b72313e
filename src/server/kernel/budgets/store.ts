import type { Queryable } from '../../database/index.ts';

export interface Added {
  readonly key: Buffer;
  /** negative if points were given back */
  readonly points: number;
  readonly windowMs: number;
}

/** Adds points and returns the totals of the current windows and the ms until they end, in the order of `added`. */
export async function addPoints(
  db: Queryable,
  added: readonly Added[],
): Promise<{ readonly points: number; readonly leftMs: number }[]> {
  // sorted by key, so that concurrent statements lock rows in the same order
  const order = added.map((_, n) => n).sort((a, b) => added[a]!.key.compare(added[b]!.key));
  const { rows } = await db.query<{ key: Buffer; points: number; leftMs: number }>({
    name: 'shared-budget-add',
    text: `insert into shared_budget as b (key, points, ends_at)
           select k, p, now() + w * interval '1 millisecond' from unnest($1::bytea[], $2::int[], $3::float8[]) as a(k, p, w)
           on conflict (key) do update set
             points = case when b.ends_at > now() then b.points + excluded.points else excluded.points end,
             ends_at = case when b.ends_at > now() then b.ends_at else excluded.ends_at end
           returning key, points, (extract(epoch from ends_at - now()) * 1000)::float8 as "leftMs"`,
    values: [order.map((n) => added[n]!.key), order.map((n) => added[n]!.points), order.map((n) => added[n]!.windowMs)],
  });
  const results = new Map(rows.map((row) => [row.key.toString('hex'), row]));
  return added.map(({ key }) => results.get(key.toString('hex'))!);
}

export async function deleteEnded(db: Queryable): Promise<void> {
  await db.query({ name: 'shared-budget-trim', text: 'delete from shared_budget where ends_at < now()' });
}
