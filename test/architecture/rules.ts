import type { Source } from './sources.ts';

export type Rule = (sources: readonly Source[]) => string[];

/** Cycles of a graph, each once. */
export function cyclesOf(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node);
    if (at >= 0) found.push([...path.slice(at), node].join(' → '));
    if (at >= 0 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return found;
}

/** Files that import each other in a cycle. */
export const cycles: Rule = (sources) =>
  cyclesOf(new Map(sources.map(({ path, links }) => [path, links.flatMap(({ file }) => file ?? [])])));

const uses =
  (kinds: readonly string[], may: (path: string) => boolean): Rule =>
  (sources) =>
    sources
      .filter(({ path }) => !may(path))
      .flatMap(({ path, uses }) =>
        uses.filter(({ kind }) => kinds.includes(kind)).map(({ line, text }) => `${path}:${line} has ${text}`),
      );

export const environment: Rule = uses(['environment'], (path) => path === 'src/apps/config.ts');
export const clock: Rule = uses(['clock'], (path) => path === 'src/platform/clock.ts');
export const chance: Rule = uses(
  ['chance'],
  (path) =>
    !/^(protocols|src\/(codec|contract|geometry|server\/(?:movement\/track|alerts\/rules|tachograph\/engine)))\//.test(
      path,
    ),
);
export const sql: Rule = uses(['sql'], (path) => /\/store\.ts$/.test(path) || /\/(?:migrations|sql)\//.test(path));

/** A cast to `never` turns off the check that a value is what its reader expects. */
export const asNever: Rule = uses(['as never'], (path) => !path.startsWith('src/'));

/** Files with a cast by way of `unknown`, which turns off the check as well, and what the compiler cannot know there. */
export const CASTS_BY_UNKNOWN: Readonly<Record<string, string>> = {
  'src/server/database/host-client.ts': 'members of the client of pg that its types do not have',
  'src/server/history/files/rows.ts': 'the values of a vector, which the class of DuckDB declares as private',
  'src/server/ingest/feed/store.ts': 'a row is changed in place: a copy of each position would cost time',
  'src/server/live/brokers/kafka.ts': 'the client chooses the type of a request by its name',
  'src/server/tachograph/engine/card/parse.ts': 'a section is put together by the names of a table of layouts',
};
export const MAX_CASTS_BY_UNKNOWN = 10;

/** Casts by way of `unknown` in `src` are in the listed files, one in each. */
export const castsByUnknown: Rule = (sources) =>
  sources
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ path, uses }) =>
      uses
        .filter(({ kind }) => kind === 'as unknown as')
        .slice(Object.hasOwn(CASTS_BY_UNKNOWN, path) ? 1 : 0)
        .map(({ line }) => `${path}:${line} has as unknown as`),
    );

const BROWSER = ['playwright-core', './chromium.ts', '../support/chromium.ts', '../support/console.ts'];
const readsOnce = uses(['page read once'], () => false);

/** A page changes while it is read: what a browser shows is awaited (`expect.poll`), and not read once. */
export const pagesAreAwaited: Rule = (sources) =>
  readsOnce(
    sources.filter(({ links }) => links.some(({ specifier = '' }) => BROWSER.some((end) => specifier.endsWith(end)))),
  );

const EMPTY_NAMES = new Set('util utils helper helpers common misc base manager managers'.split(' '));

export const names: Rule = (sources) =>
  sources
    .filter(({ path }) => path.split(/[/.-]/).some((word) => EMPTY_NAMES.has(word.toLowerCase())))
    .map(({ path }) => path);

/** Tables are data: they are as long as the vendor's. */
const isTable = (path: string): boolean => /\/elements(\.ts$|\/|-)/.test(path);

const mostStatements = (path: string): number => (path.startsWith('test/') ? 300 : 240);

export const fileSize: Rule = (sources) =>
  sources
    .filter(({ path, statements }) => statements > mostStatements(path) && !isTable(path))
    .map(({ path, statements }) => `${path} has ${statements} statements, at most ${mostStatements(path)} are allowed`);

const MOST_IN_FUNCTION = 70;

export const functionSize: Rule = (sources) =>
  sources.flatMap(({ path, functions }) =>
    functions
      .filter(({ statements }) => statements > MOST_IN_FUNCTION)
      .map(({ name, statements }) => `${path} ${name} has ${statements} statements`),
  );
