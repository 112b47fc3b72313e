import type { Source } from './sources.ts';

/** Most lines of TypeScript that a protocol's folder holds beside its tables. */
export const MOST_LINES = 900;

/** Folders that are known to be larger, with what they may have until they are not: never more than now. */
export const excesses: Readonly<Record<string, number>> = {};

const protocolOf = (path: string): string | undefined => /^protocols\/([^/]+)\//.exec(path)?.[1];

/** Lines of each protocol's folder that are no table; imports do not count, since long lists of names wrap. */
export function linesOfLogic(sources: readonly Source[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const source of sources) {
    const id = protocolOf(source.path);
    if (id !== undefined)
      lines.set(id, (lines.get(id) ?? 0) + (source.isTable ? 0 : source.lines - source.importLines));
  }
  return lines;
}

/** Folders that are too large, and excesses that are none any more. */
export function protocolSizes(
  sources: readonly Source[],
  known: Readonly<Record<string, number>> = excesses,
): string[] {
  const sizes = linesOfLogic(sources);
  const large = [...sizes].flatMap(([id, lines]) => {
    const most = known[id] ?? MOST_LINES;
    return lines > most ? [`protocols/${id} has ${lines} lines beside its tables; ${most} are the most`] : [];
  });
  const settled = Object.keys(known).filter((id) => (sizes.get(id) ?? 0) <= MOST_LINES);
  return [...large, ...settled.map((id) => `protocols/${id} is no excess any more: its entry can go`)];
}
