import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** One import, re-export or dynamic import of a file. */
export interface Link {
  /** as written; undefined where a dynamic import computes it */
  readonly specifier: string | undefined;
  readonly typeOnly: boolean;
  /** path of the file that is meant, from the root; undefined for packages and what Node brings */
  readonly file: string | undefined;
}

export interface Source {
  /** from the root, with slashes */
  readonly path: string;
  readonly statements: number;
  readonly links: readonly Link[];
  /** what a rule may have an opinion on */
  readonly uses: readonly Use[];
  readonly functions: readonly { readonly name: string; readonly statements: number }[];
  /** It holds only types and constants, made of literals and by what it imports: it decides nothing. */
  readonly isTable: boolean;
}

export interface Use {
  readonly kind: 'environment' | 'clock' | 'chance' | 'sql' | 'as never' | 'as unknown as' | 'page read once';
  readonly line: number;
  readonly text: string;
}

/** All TypeScript files under a folder of the checkout. */
export function readSources(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));
}

/** Parses a file that need not exist. Throws where it is no TypeScript. */
export function parseSource(path: string, text: string): Source {
  const { program, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`);
  const links: Link[] = [];
  const link = (specifier: string | undefined, typeOnly: boolean) =>
    links.push({ specifier, typeOnly, file: resolve(path, specifier) });
  for (const { moduleRequest, entries } of module.staticImports) {
    link(moduleRequest.value, entries.length > 0 && entries.every((entry) => entry.isType));
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) if (moduleRequest) link(moduleRequest.value, isType);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const written = /^(['"])(.*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2];
    link(written, false);
  }
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const found = walk(program, lineAt);
  return { path, links, ...found };
}

function resolve(from: string, specifier: string | undefined): string | undefined {
  if (specifier === '#codec') return 'src/codec/index.ts';
  if (specifier?.startsWith('#codec/')) return `src/codec/${specifier.slice('#codec/'.length)}/index.ts`;
  return specifier?.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;

/** What a table has none of: functions, classes, and statements or expressions that choose or repeat. */
const LOGIC =
  /^(?:.*Function.*Expression|FunctionDeclaration|Class(?:Declaration|Expression)|(?:If|For.*|While|DoWhile|Return|Switch|Try|Throw)Statement|ConditionalExpression|AssignmentExpression)$/;

/** What the size rules count: statements, declarations and members of classes, but not imports, types and blocks. */
const COUNTED =
  /^(?:(?!Block|Empty)\w+Statement|(?:Variable|Function|Class)Declaration|MethodDefinition|PropertyDefinition)$/;

interface Sized {
  readonly name: string;
  statements: number;
}

function walk(
  program: unknown,
  lineAt: (offset: number) => number,
): Pick<Source, 'uses' | 'functions' | 'isTable' | 'statements'> {
  const uses: Use[] = [];
  let isTable = true;
  const functions: Sized[] = [];
  const file: Sized = { name: 'file', statements: 0 };
  const visit = (node: Node, parent: Node | undefined, within: readonly Sized[]): void => {
    if (LOGIC.test(node.type)) isTable = false;
    if (COUNTED.test(node.type)) for (const each of within) each.statements++;
    const use = useOf(node);
    if (use !== undefined) uses.push({ ...use, line: lineAt(node.start) });
    let inner = within;
    if (/Function/.test(node.type) && node['body']) {
      const sized = { name: nameOf(node, parent), statements: 0 };
      functions.push(sized);
      inner = [...within, sized];
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node, inner);
    }
  };
  if (isNode(program)) visit(program, undefined, [file]);
  return { uses, functions, isTable, statements: file.statements };
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const nameOf = (node: Node, parent: Node | undefined): string => {
  const named = [node['id'], parent?.['id'], parent?.['key']].find(isNode);
  return String(named?.['name'] ?? 'function');
};

const SQL =
  /^\s*(select\s[\s\S]*\bfrom\s|select\s+\w+\(|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|(create|alter|drop)\s+(table|role|index|schema|policy|function|database|type)\b|truncate\s+\w|copy\s+\S+[\s\S]*\b(from|to)\s+std|set\s+(local|role)\s)/i;

const isUnknownCast = (node: unknown): boolean =>
  isNode(node) && node.type === 'TSAsExpression' && (node['typeAnnotation'] as Node).type === 'TSUnknownKeyword';

function useOf(node: Node): Omit<Use, 'line'> | undefined {
  if (node.type === 'MemberExpression') return memberUse(node);
  if (node.type === 'NewExpression' || node.type === 'CallExpression') {
    if (isName(node['callee'], 'expect') && (node['arguments'] as Node[]).slice(0, 1).some(readsPage)) {
      return { kind: 'page read once', text: 'expect(… of a page)' };
    }
    const bare = isName(node['callee'], 'Date') && (node.type === 'CallExpression' || isEmpty(node['arguments']));
    return bare ? { kind: 'clock', text: 'the present Date' } : undefined;
  }
  if (node.type === 'VariableDeclarator' && isName(node['init'], 'process') && hasKey(node['id'], 'env')) {
    return { kind: 'environment', text: '{ env } = process' };
  }
  if (node.type === 'ImportDeclaration' && (node['source'] as { value?: unknown }).value === 'node:process') {
    return { kind: 'environment', text: 'import of node:process' };
  }
  if (node.type === 'TSAsExpression' && (node['typeAnnotation'] as Node).type === 'TSNeverKeyword') {
    return { kind: 'as never', text: 'as never' };
  }
  if (node.type === 'TSAsExpression' && isUnknownCast(node['expression'])) {
    return { kind: 'as unknown as', text: 'as unknown as' };
  }
  const text = textOf(node);
  return text !== undefined && SQL.test(text) ? { kind: 'sql', text: text.trim().slice(0, 60) } : undefined;
}

/** Calls that return the present state of a page; functions of a test of the same name too. */
const PAGE_STATE =
  /^(?:count|textContent|innerText|all(?:TextContents|InnerTexts)|innerHTML|inputValue|is(?:Visible|Hidden|Checked|Disabled|Enabled|Editable)|getAttribute|evaluate(?:All)?|title|content|boundingBox|all|\$\$?)$/;

/** Whether it awaits the state of a page, or asks for its URL, outside of a function that may be called again. */
function readsPage(node: Node): boolean {
  if (/Function/.test(node.type)) return false;
  if (node.type === 'AwaitExpression' && PAGE_STATE.test(calledName(node['argument']))) return true;
  if (node.type === 'CallExpression' && calledName(node) === 'url' && isEmpty(node['arguments'])) return true;
  return Object.values(node).some((value) =>
    (Array.isArray(value) ? value : [value]).some((c) => isNode(c) && readsPage(c)),
  );
}

function calledName(node: unknown): string {
  if (!isNode(node) || node.type !== 'CallExpression') return '';
  const callee = node['callee'] as Node;
  const named = callee.type === 'MemberExpression' ? (callee['property'] as Node) : callee;
  return typeof named['name'] === 'string' ? named['name'] : '';
}

const CLOCKS: readonly (readonly [string, string])[] = [
  ['Date', 'now'],
  ['performance', 'now'],
  ['process', 'hrtime'],
];

function memberUse(node: Node): Omit<Use, 'line'> | undefined {
  const { object, property } = node;
  if (isName(object, 'process') && isName(property, 'env')) return { kind: 'environment', text: 'process.env' };
  if (isName(object, 'Math') && isName(property, 'random')) return { kind: 'chance', text: 'Math.random' };
  const clock = CLOCKS.find(([owner, name]) => isName(object, owner) && isName(property, name));
  return clock === undefined ? undefined : { kind: 'clock', text: clock.join('.') };
}

const isName = (node: unknown, name: string): boolean =>
  isNode(node) && (node['name'] === name || node['value'] === name);
const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0;
const hasKey = (pattern: unknown, key: string): boolean =>
  isNode(pattern) &&
  Array.isArray(pattern['properties']) &&
  pattern['properties'].some((p) => isName((p as Node)['key'], key));

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as { value: { cooked: string | null } }[];
  return quasis.map(({ value }) => value.cooked ?? '').join('$1');
}
