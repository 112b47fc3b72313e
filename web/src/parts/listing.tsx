import { type ReactNode, useEffect, useRef } from 'react';
import { useSession } from '../session.tsx';
import { type Reading, ReadingProblem } from './problem.tsx';

interface Query extends Reading {
  readonly hasNextPage?: boolean;
  readonly isFetchingNextPage?: boolean;
  readonly fetchNextPage?: () => unknown;
}

interface ListingProps<T> {
  readonly query: Query;
  readonly items: readonly T[] | undefined;
  /** what is shown when there is nothing */
  readonly empty: string;
  readonly children: (items: readonly T[]) => ReactNode;
}

/** A list of the API in its states: problem, empty, items, more pages. */
export function Listing<T>({ query, items = [], empty, children }: ListingProps<T>) {
  const { t } = useSession();
  return (
    <>
      <ReadingProblem query={query} />
      {query.data !== undefined && items.length === 0 && <p>{empty}</p>}
      {items.length > 0 && children(items)}
      {query.hasNextPage === true && (
        <button type="button" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage?.()}>
          {t('command.more')}
        </button>
      )}
    </>
  );
}

/** A table that becomes a list of cards on a phone. */
export function Table({ head, children }: { head: readonly string[]; children: ReactNode }) {
  const table = useRef<HTMLTableElement>(null);
  // on a phone there is no line of headings: each cell shows its own
  useEffect(() => {
    for (const row of table.current?.tBodies[0]?.rows ?? [])
      for (const [n, cell] of [...row.cells].entries())
        if (n > 0 && row.cells.length === head.length) cell.dataset['label'] = head[n];
  });
  return (
    <div className="scroll">
      <table ref={table} className="cards">
        <thead>
          <tr>
            {head.map((each) => (
              <th key={each}>{each}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
