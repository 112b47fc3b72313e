import { useInfiniteQuery } from '@tanstack/react-query';
import { whileAway } from '../api.ts';

interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

/** Parameter of a request for a further page; empty for the first one. */
export interface Cursor {
  readonly cursor?: string;
}

interface PagesOptions<P extends Page> {
  readonly isEnabled?: boolean;
  /** ms until the list is read again, by what it holds; false: it is not */
  readonly refetchAfter?: (pages: readonly P[]) => number | false;
}

/** A list of the API that is read page by page; see Listing. */
export function usePages<P extends Page>(
  queryKey: readonly unknown[],
  read: (cursor: Cursor) => Promise<P>,
  { isEnabled = true, refetchAfter }: PagesOptions<P> = {},
) {
  return useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => read(pageParam ? { cursor: pageParam } : {}),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: isEnabled,
    refetchInterval: (query) => refetchAfter?.(query.state.data?.pages ?? []) || whileAway(query),
  });
}
