import { parseSync } from 'oxc-parser';

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const nameOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined;
  return typeof node['name'] === 'string' ? node['name'] : nameOf(node['key'] ?? node['left']);
};

/** Functions whose variables may outlive the call. */
const FACTORY = /^(?:create|open|start|make|add|watch|run|build|serve|connect)(?:[A-Z]|$)/;
const FILLED = (name: string): RegExp => new RegExp(`(?<![\\w$])${name.replace('$', '\\$')}\\s*\\.(?:set|add)\\(`);

/**
 * Names of the maps and sets of a file that may outlive a request: of the module, of a class, or of a function that is
 * named as a factory or returns functions. Collections that are made of data at once and never filled are constants.
 */
export function findLongLived(path: string, text: string): string[] {
  if (!/new (?:Map|Set)\b/.test(text)) return [];
  const found: string[] = [];
  const isFilled = (name: string): boolean => FILLED(name).test(text);
  const add = (name: string | undefined, value: unknown): void => {
    for (const { isEmpty } of collectionsIn(value))
      if (name !== undefined && (isEmpty || isFilled(name))) found.push(name);
  };
  const declared = (statement: Node): void => {
    const inner = isNode(statement['declaration']) ? statement['declaration'] : statement;
    if (inner.type !== 'VariableDeclaration') return;
    for (const each of inner['declarations'] as Node[]) add(nameOf(each['id']), each['init']);
  };
  const visit = (node: Node, name: string | undefined): void => {
    if (node.type === 'Program') for (const statement of node['body'] as Node[]) declared(statement);
    if (node.type === 'PropertyDefinition') {
      const key = node['key'] as Node;
      add(key.type === 'PrivateIdentifier' ? `#${nameOf(key)}` : nameOf(key), node['value']);
    }
    if (node.type === 'MethodDefinition' && node['kind'] === 'constructor') fields(node);
    if (/Function/.test(node.type)) {
      const statements = statementsOf(node);
      const own = nameOf(node['id']) ?? name ?? '';
      if (FACTORY.test(own) || returnsFunctions(statements)) for (const statement of statements) declared(statement);
    }
    const given =
      node.type === 'VariableDeclarator'
        ? nameOf(node['id'])
        : node.type === 'Property' || node.type === 'MethodDefinition'
          ? nameOf(node['key'])
          : undefined;
    for (const child of childrenOf(node)) visit(child, given);
  };
  /** `this.#known = new Map()` */
  const fields = (node: Node): void => {
    if (node.type === 'AssignmentExpression') {
      const left = node['left'] as Node;
      const key = left['property'];
      if (isNode(left['object']) && left['object'].type === 'ThisExpression' && isNode(key)) {
        add(key.type === 'PrivateIdentifier' ? `#${nameOf(key)}` : nameOf(key), node['right']);
      }
    }
    for (const child of childrenOf(node)) fields(child);
  };
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`);
  visit(program as unknown as Node, undefined);
  // two of one name are two entries
  return found.map((name, n) => {
    const before = found.slice(0, n).filter((other) => other === name).length;
    return before === 0 ? name : `${name} ${before + 1}`;
  });
}

/** Collections that an expression makes, but not those of functions in it. */
function collectionsIn(value: unknown): { readonly isEmpty: boolean }[] {
  if (!isNode(value) || /Function|Class/.test(value.type)) return [];
  const isCollection = value.type === 'NewExpression' && /^(?:Map|Set)$/.test(nameOf(value['callee']) ?? '');
  if (isCollection) return [{ isEmpty: (value['arguments'] as Node[]).length === 0 }];
  return childrenOf(value).flatMap(collectionsIn);
}

const statementsOf = (node: Node): Node[] => {
  const body = node['body'];
  return isNode(body) && Array.isArray(body['body']) ? (body['body'] as Node[]) : [];
};

function returnsFunctions(statements: readonly Node[]): boolean {
  const names = new Set(
    statements.flatMap((statement) =>
      statement.type === 'FunctionDeclaration'
        ? [nameOf(statement['id'])]
        : statement.type === 'VariableDeclaration'
          ? (statement['declarations'] as Node[]).filter(({ init }) => isFunction(init)).map(({ id }) => nameOf(id))
          : [],
    ),
  );
  const isReturned = (value: unknown): boolean =>
    isFunction(value) || (isNode(value) && value.type === 'Identifier' && names.has(nameOf(value)));
  return statements.some((statement) => {
    if (statement.type !== 'ReturnStatement' || !isNode(statement['argument'])) return false;
    const { argument } = statement as unknown as { argument: Node };
    if (argument.type !== 'ObjectExpression') return isReturned(argument);
    return (argument['properties'] as Node[]).some(({ value }) => isReturned(value));
  });
}

const isFunction = (value: unknown): boolean => isNode(value) && /Function/.test(value.type);
