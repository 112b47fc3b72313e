import type { ReactNode } from 'react';
import { NO_ANSWER } from '../api.ts';
import { useSession } from '../session.tsx';

interface ProblemProps {
  readonly error: string;
  readonly retry?: () => void;
  /** when what is shown nevertheless was read, epoch ms */
  readonly asOf?: number;
}

/** Why data could not be loaded: instead of them, or above those that were loaded before. */
export function Problem({ error, retry, asOf }: ProblemProps) {
  const { t, time } = useSession();
  return (
    <div className="problem" role="alert">
      {error === NO_ANSWER ? t('error.away') : t('error.load', { detail: error })}{' '}
      {asOf !== undefined && t('error.stale', { at: time(asOf) })}
      {retry && (
        <button type="button" onClick={retry}>
          {t('error.retry')}
        </button>
      )}
    </div>
  );
}

/** The part of a query that tells how reading went. */
export interface Reading {
  readonly data: unknown;
  readonly error: Error | null;
  readonly dataUpdatedAt: number;
  readonly refetch: () => unknown;
  /** there are no data yet, and an answer is expected */
  readonly isLoading: boolean;
  /** how often reading has failed */
  readonly errorUpdateCount: number;
}

/**
 * What went wrong when a query was read last; nothing if nothing did. Until the first answer there is a mark: what stands
 * below a section with one is shown when it no longer moves (style.css).
 */
export function ReadingProblem({ query }: { readonly query: Reading }) {
  const { data, error, dataUpdatedAt, refetch, isLoading, errorUpdateCount } = query;
  if (error === null) return isLoading && errorUpdateCount === 0 ? <span className="unread" hidden /> : null;
  const known = data === undefined ? {} : { asOf: dataUpdatedAt };
  return <Problem error={error.message} retry={() => void refetch()} {...known} />;
}

interface LoadedProps<T> {
  readonly query: Reading & { readonly data: T | undefined };
  /** what is shown until the first answer */
  readonly waiting?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** What a query has read. It stays, with what a user has begun to enter, when it cannot be read again. */
export function Loaded<T>({ query, waiting, children }: LoadedProps<T>) {
  const { data, error } = query;
  return (
    <>
      <ReadingProblem query={query} />
      {data === undefined ? error === null && waiting : children(data)}
    </>
  );
}
