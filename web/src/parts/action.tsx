import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Problem } from './problem.tsx';

export interface Action {
  /** Runs a change; its text is the result. Lists that it affects are loaded again, whether it succeeded or not. */
  readonly run: (change: () => Promise<string | undefined>) => Promise<void>;
  readonly isRunning: boolean;
  /** the last result or problem */
  readonly result: ReactNode;
}

export function useAction(affects: QueryKey): Action {
  const queries = useQueryClient();
  const [isRunning, setRunning] = useState(false);
  const [outcome, setOutcome] = useState<{ text: string; isProblem: boolean }>();
  const run = async (change: () => Promise<string | undefined>): Promise<void> => {
    setOutcome(undefined);
    setRunning(true);
    try {
      const text = await change();
      if (text !== undefined) setOutcome({ text, isProblem: false });
    } catch (error) {
      setOutcome({ text: (error as Error).message, isProblem: true });
    }
    setRunning(false);
    await queries.invalidateQueries({ queryKey: affects });
  };
  const result =
    outcome === undefined ? null : outcome.isProblem ? (
      <Problem error={outcome.text} />
    ) : (
      <p role="status">{outcome.text}</p>
    );
  return { run, isRunning, result };
}
