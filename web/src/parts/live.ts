import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Loads queries again after an event of the stream. */
export async function reload(
  queries: Pick<QueryClient, 'isFetching' | 'invalidateQueries'>,
  queryKey: QueryKey,
): Promise<void> {
  const isFirst = queries.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0;
  await queries.invalidateQueries({ queryKey });
  // a first load that was under way is joined and not repeated: it may have read what was before the event
  if (isFirst) await queries.invalidateQueries({ queryKey });
}
