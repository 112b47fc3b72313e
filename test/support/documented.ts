import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, unknown>> }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, Response> }>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

let document: Document | undefined;
const read = (): Document => {
  document ??= JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'openapi.json'), 'utf8'),
  ) as Document;
  return document;
};

/** Throws where the document of the API knows the operation and does not say that it may answer with this code. */
export function demandDocumented(method: string, url: string, status: number, code: string): void {
  const path = url.split('?', 1)[0]!;
  const { paths, components } = read();
  const template = templateOf(path, Object.keys(paths));
  const operation = template === undefined ? undefined : paths[template]![method.toLowerCase()];
  if (operation === undefined) return;
  // the one that answers whatever it is asked for
  if (operation.responses['4XX'] !== undefined) return;
  const said = operation.responses[status];
  const { content } = said?.$ref === undefined ? (said ?? {}) : components.responses[said.$ref.split('/').at(-1)!]!;
  if (content?.['application/problem+json']?.examples?.[code] !== undefined) return;
  throw new Error(`${method} ${template} answered ${status} ${code}, which docs/openapi.json does not say`);
}

/** The path of the document that a request meets: a word goes before a parameter. */
function templateOf(path: string, templates: readonly string[]): string | undefined {
  const asked = partsOf(path);
  const fitting = templates.filter((template) => {
    const parts = partsOf(template);
    return parts.length === asked.length && parts.every((part, i) => part.startsWith('{') || part === asked[i]);
  });
  const rank = (template: string): string =>
    partsOf(template)
      .map((part) => (part.startsWith('{') ? 1 : 0))
      .join('');
  return fitting.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');
