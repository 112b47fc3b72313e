import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Something that an entry point of the codec kit exports. */
export interface KitExport {
  readonly name: string;
  readonly isType: boolean;
  /** path of the file that declares it, from `src/codec` */
  readonly file: string;
  /** first paragraph of its comment; empty if it has none */
  readonly doc: string;
}

export interface EntryPoint {
  /** such as `#codec/text` */
  readonly name: string;
  /** comment at the beginning of its `index.ts`; empty if it has none */
  readonly doc: string;
  readonly exports: readonly KitExport[];
}

/** The examples of an entry point: code of each by the name of what it shows, and the declarations that they share. */
export interface KitExamples {
  readonly shared: readonly string[];
  readonly code: ReadonlyMap<string, string>;
}

const KIT = 'src/codec';
const EXAMPLES = 'test/unit/codec/examples';
const FOLDERS = ['', 'framing', 'binary', 'text', 'http'];

/** The entry points, read from their sources. */
export const readKit = (root: string): EntryPoint[] =>
  FOLDERS.map((folder) => {
    const file = join(folder, 'index.ts');
    const text = readFileSync(join(root, KIT, file), 'utf8');
    return {
      name: folder === '' ? '#codec' : `#codec/${folder}`,
      doc: firstParagraph(/^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? ''),
      exports: exportsOf(root, file),
    };
  });

const REEXPORT = /^export (?:type )?(\*|\{[^}]*\}) from '(.+)';$/gm;

function exportsOf(root: string, file: string): KitExport[] {
  const text = readFileSync(join(root, KIT, file), 'utf8');
  const inOthers = [...text.matchAll(REEXPORT)].flatMap(([, names, from]) => {
    const found = exportsOf(root, join(file, '..', from!));
    return names === '*' ? found : renamed(names!, found);
  });
  return [...declarationsOf(text, file), ...inOthers];
}

/** `{ a, type B as C }` of what another file exports. */
const renamed = (list: string, found: readonly KitExport[]): KitExport[] =>
  list
    .replace(/[{}]/g, '')
    .split(',')
    .map((item) => item.trim().replace(/^type /, ''))
    .filter((item) => item !== '')
    .flatMap((item) => {
      const [name, as = name] = item.split(' as ');
      return found.filter((each) => each.name === name).map((each) => ({ ...each, name: as! }));
    });

const DECLARATION =
  /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export (?:async )?(const|function|class|interface|type) (\w+)/gm;

function declarationsOf(text: string, file: string): KitExport[] {
  const found: KitExport[] = [];
  let doc = '';
  for (const { 1: comment, 2: kind, 3: name, index } of text.matchAll(DECLARATION)) {
    // A comment also holds for the declarations directly below.
    if (comment !== undefined) doc = firstParagraph(comment);
    else if (text[index - 2] === '\n') doc = '';
    found.push({ name: name!, isType: kind === 'interface' || kind === 'type', file, doc });
  }
  return found;
}

const firstParagraph = (comment: string): string =>
  comment
    .replace(/^\/\*\*|\*\/\n?$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join('\n')
    .trim()
    .split('\n\n')[0]!
    .replaceAll('\n', ' ');

const EXAMPLE = /^ {2}it\('(\w+)', \(\) => \{\n([\s\S]*?)^ {2}\}\);/gm;

/** The examples by entry point: tests whose name is that of the export. */
export function readKitExamples(root: string): Map<string, KitExamples> {
  const examples = new Map<string, { shared: string[]; code: Map<string, string> }>();
  for (const name of readdirSync(join(root, EXAMPLES)).sort()) {
    const text = readFileSync(join(root, EXAMPLES, name), 'utf8');
    const [head, entry, tests] = text.split(/^describe\('(.+)', \(\) => \{$/m);
    if (entry === undefined) continue;
    const known = examples.get(entry) ?? { shared: [], code: new Map<string, string>() };
    examples.set(entry, known);
    for (const declaration of sharedOf(head!)) if (!known.shared.includes(declaration)) known.shared.push(declaration);
    for (const [, shown, body] of tests!.matchAll(EXAMPLE)) known.code.set(shown!, body!.replace(/^ {4}/gm, '').trim());
  }
  return examples;
}

/** What stands between the imports and the first test. */
const sharedOf = (head: string): string[] =>
  head
    .slice(head.lastIndexOf(" from '"))
    .split('\n')
    .slice(1)
    .join('\n')
    .trim()
    .split(/\n\n+(?=\S)/)
    .filter((declaration) => declaration !== '');
