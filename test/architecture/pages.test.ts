import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linesByArea } from './areas.ts';
import { root } from './sources.ts';

const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .sort();
const pages = [...files.filter((path) => path.endsWith('/README.md')), 'docs/architecture.md'];

/** `a/b`, `a/` or `a.ts`; no route (`/v1/events`), setting, media type or expression. */
const PATH = /^(?!application\/)[\w-][\w.-]*(\/[\w.-]+)*\/?$|^\.\.\//;
const FILE = /\.(?:ts|tsx|sql|md|json|mjs|ya?ml)$/;

/** Where a path of a page may start: in the folder of the page, in one above it, in src or in the server. */
function basesOf(page: string): string[] {
  const folders = dirname(page).split('/');
  return [...folders.map((_, n) => folders.slice(0, n + 1).join('/')), '', 'src', 'src/server'];
}

/** A name without a folder is one of the page's folder or of those below it; of all of src for a page of docs. */
function isFound(page: string, path: string): boolean {
  if (basesOf(page).some((base) => existsSync(join(root, base, path)))) return true;
  const name = path.replace(/\/$/, '');
  if (name.includes('/')) return false;
  const folder = page.startsWith('src/') ? `${dirname(page)}/` : 'src/';
  const below = files.filter((file) => file.startsWith(folder));
  return below.some((file) => (name === path ? posix.basename(file) === name : file.includes(`/${path}`)));
}

/** Paths in code spans, and links, of a page that do not exist. */
function missingPaths(page: string, text: string): string[] {
  const prose = text.replace(/^```.*?^```/gms, '');
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
  const paths = spans.filter((span) => PATH.test(span) && (span.includes('/') || FILE.test(span)));
  const links = [...prose.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, link]) => link!);
  return [
    ...paths.filter((path) => !isFound(page, path)),
    ...links.filter((link) => !existsSync(join(root, dirname(page), link))),
  ];
}

/** Lines of Mermaid diagrams that its parser cuts: `;` ends a statement, and a label of a state has no second colon. */
function brokenLabels(text: string): string[] {
  return [...text.matchAll(/^```mermaid\n([\s\S]*?)^```/gm)].flatMap(([, diagram]) => {
    const isOfStates = diagram!.startsWith('stateDiagram');
    return diagram!.split('\n').filter((line) => line.includes(';') || (isOfStates && line.split(':').length > 2));
  });
}

describe('pages of the areas', () => {
  it.each(pages)('every path in %s exists', (page) => {
    expect(missingPaths(page, readFileSync(join(root, page), 'utf8'))).toEqual([]);
  });

  it.each(pages)('no label of a diagram in %s has a character that ends it', (page) => {
    expect(brokenLabels(readFileSync(join(root, page), 'utf8'))).toEqual([]);
  });

  it('such a label is detected', () => {
    const diagram = (kind: string, line: string): string => `\`\`\`mermaid\n${kind}\n${line}\n\`\`\`\n`;
    expect(brokenLabels(diagram('stateDiagram-v2', 'a --> b: late: again'))).toHaveLength(1);
    expect(brokenLabels(diagram('sequenceDiagram', 'a->>b: one; two'))).toHaveLength(1);
    expect(brokenLabels(diagram('stateDiagram-v2', 'a --> b: late, again'))).toEqual([]);
  });

  it('every area of src has a page', () => {
    const sources = files.filter((path) => path.endsWith('.ts')).map((path) => ({ path, text: '\n' }));
    const areas = [...linesByArea(sources).keys()];
    expect(areas.length).toBeGreaterThan(20);
    expect(areas.filter((area) => !existsSync(join(root, 'src', area, 'README.md')))).toEqual([]);
  });

  it('a path that does not exist is detected', () => {
    const page = 'src/codec/README.md';
    expect(missingPaths(page, 'Read `driver.ts`, `framing/starts.ts`, `src/contract`, `text/`.')).toEqual([]);
    expect(missingPaths(page, '`GET /v1/events`, `/v1/events`, `application/x-ndjson`, `SPOOL_DIR`, `a.b`')).toEqual(
      [],
    );
    expect(missingPaths(page, 'Read `drive.ts`, `framing/ends.ts` and [the list](../list.md).')).toEqual([
      'drive.ts',
      'framing/ends.ts',
      '../list.md',
    ]);
  });
});
