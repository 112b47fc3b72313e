import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Problem } from './problem.tsx';

interface State {
  readonly isRunning: boolean;
  /** the last result or problem */
  readonly result: ReactNode;
}

/** A change that a page makes: part of what its hook returns. */
export interface Change<A extends readonly unknown[]> extends State {
  /** Returns whether it succeeded. */
  readonly run: (...args: A) => Promise<boolean>;
}

export interface Action extends State {
  /** Runs a change; its text is the result. */
  readonly run: (change: () => Promise<string | undefined>) => Promise<void>;
}

/**
 * A change of the API. Queries that it affects are read again, whether it succeeded or not. `change` returns the text of
 * the result; undefined if the changed list shows enough.
 */
export function useChange<A extends readonly unknown[]>(
  affects: QueryKey,
  change: (...args: A) => Promise<string | undefined>,
): Change<A> {
  const queries = useQueryClient();
  const [isRunning, setRunning] = useState(false);
  const [outcome, setOutcome] = useState<{ text: string; isProblem: boolean }>();
  const run = async (...args: A): Promise<boolean> => {
    setOutcome(undefined);
    setRunning(true);
    const ended = await change(...args).then(
      (text) => (text === undefined ? undefined : { text, isProblem: false }),
      (error: Error) => ({ text: error.message, isProblem: true }),
    );
    setOutcome(ended);
    setRunning(false);
    await queries.invalidateQueries({ queryKey: affects });
    return ended?.isProblem !== true;
  };
  const result =
    outcome === undefined ? null : outcome.isProblem ? (
      <Problem error={outcome.text} />
    ) : (
      <p role="status">{outcome.text}</p>
    );
  return { run, isRunning, result };
}

/** Several changes of one list that show their results in one place. */
export function useAction(affects: QueryKey): Action {
  const { run, ...state } = useChange(affects, (change: () => Promise<string | undefined>) => change());
  return {
    ...state,
    run: async (change) => {
      await run(change);
    },
  };
}
