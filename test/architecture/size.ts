import type { Source } from './sources.ts';

/** Most statements in the folder of a protocol, without its tables. */
export const MOST_STATEMENTS = 800;

/** Folders that exceed the limit, with their current size. Entries only become smaller. */
export const excesses: Readonly<Record<string, number>> = {};

const protocolOf = (path: string): string | undefined => /^protocols\/([^/]+)\//.exec(path)?.[1];

/** Number of statements in the folder of each protocol, without tables and imports. */
export function statementsOfLogic(sources: readonly Source[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { path, isTable, statements } of sources) {
    const id = protocolOf(path);
    if (id !== undefined) sizes.set(id, (sizes.get(id) ?? 0) + (isTable ? 0 : statements));
  }
  return sizes;
}

/** Folders that are too large, and entries of `excesses` that are no longer necessary. */
export function protocolSizes(
  sources: readonly Source[],
  known: Readonly<Record<string, number>> = excesses,
): string[] {
  const sizes = statementsOfLogic(sources);
  const large = [...sizes].flatMap(([id, size]) => {
    const most = known[id] ?? MOST_STATEMENTS;
    return size > most ? [`protocols/${id} has ${size} statements beside its tables, at most ${most} are allowed`] : [];
  });
  const settled = Object.keys(known).filter((id) => (sizes.get(id) ?? 0) <= MOST_STATEMENTS);
  return [...large, ...settled.map((id) => `protocols/${id} is within the limit: remove its entry`)];
}
