import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import {
  type Expression,
  isArrowFunction,
  isAsExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isFunctionDeclaration,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isStringLiteral,
  isTemplateExpression,
  isVariableDeclaration,
  type Node,
} from 'typescript/unstable/ast';
import { API, type Checker, type Project, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync';

const root = resolve(import.meta.dirname, '../..');

/** What a member of a row type accepts; `any` if that cannot be said in these words. */
export type Kind = 'string' | 'number' | 'boolean' | 'bytes' | 'array' | 'any';

/** One call of `query`, `queryAsTenant` or `runAsTenant` in a store. */
export interface Statement {
  /** path and line */
  readonly at: string;
  /** SQL, once for each way in which conditions choose its parts; empty if a part is only known at run time */
  readonly texts: readonly string[];
  /** required members of the declared row, once for each member of a union; undefined without a declared type */
  readonly rows: readonly (readonly { readonly name: string; readonly kinds: readonly Kind[] }[])[] | undefined;
}

/** SQL with more variants than this is not followed. */
const MAX_VARIANTS = 32;
/** Argument with the statement. */
const CALLS: Readonly<Record<string, number>> = { query: 0, queryAsTenant: 2, runAsTenant: 2 };

/** Statements of the `store.ts` files in a folder of the checkout, with the types that the compiler knows. */
export function readStatements(folder: string, tsconfig = 'tsconfig.build.json'): Statement[] {
  const api = new API({ cwd: root });
  try {
    const config = join(root, tsconfig);
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)!;
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(^|\/)store\.ts$/.test(path))
      .sort()
      .flatMap((path) => statementsOf(project, join(root, folder, path)));
  } finally {
    api.close();
  }
}

function statementsOf(project: Project, path: string): Statement[] {
  const file = project.program.getSourceFile(path)!;
  const found: Statement[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node)) {
      const name = isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      const place = isIdentifier(name) ? CALLS[name.text] : undefined;
      const argument = place === undefined ? undefined : node.arguments[place];
      if (argument !== undefined) {
        const line = file.text.slice(0, node.getStart(file)).split('\n').length;
        const row = node.typeArguments?.[0];
        const type = row && project.checker.getTypeFromTypeNode(row);
        found.push({
          at: `${relative(root, path)}:${line}`,
          texts: new Evaluation(project).textsOf(argument),
          rows: type && !isGeneric(type) ? rowsOf(project.checker, type) : undefined,
        });
      }
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

const isGeneric = (type: Type): boolean =>
  (type.flags & TypeFlags.TypeParameter) !== 0 || (type.isIntersectionType() && type.getTypes().some(isGeneric));

function rowsOf(checker: Checker, type: Type): Statement['rows'] {
  const members = type.isUnionType() ? type.getTypes() : [type];
  return members.map((member) =>
    checker.getPropertiesOfType(member).flatMap((property) => {
      const of = checker.getTypeOfSymbol(property)!;
      const parts = of.isUnionType() ? of.getTypes() : [of];
      if (parts.some(({ flags }) => (flags & TypeFlags.Undefined) !== 0)) return [];
      return [{ name: property.name, kinds: [...new Set(parts.flatMap((part) => kindOf(checker, part)))] }];
    }),
  );
}

function kindOf(checker: Checker, type: Type): Kind[] {
  if (type.flags & TypeFlags.Null) return [];
  if (type.flags & TypeFlags.StringLike) return ['string'];
  if (type.flags & TypeFlags.NumberLike) return ['number'];
  if (type.flags & TypeFlags.BooleanLike) return ['boolean'];
  if (checker.isArrayLikeType(type)) return ['array'];
  const name = checker.typeToString(type);
  return [/^(Buffer|Uint8Array)\b/.test(name) ? 'bytes' : 'any'];
}

/** Works out the text of a statement from constants, functions of one expression, and both sides of conditions. */
class Evaluation {
  readonly #project: Project;
  readonly #parameters = new Map<string, readonly string[]>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** Empty if a part is not constant. */
  textsOf(node: Node): readonly string[] {
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return [node.text];
    if (isParenthesizedExpression(node) || isAsExpression(node)) return this.textsOf(node.expression);
    if (isConditionalExpression(node))
      return bounded([...this.textsOf(node.whenTrue), ...this.textsOf(node.whenFalse)]);
    if (isTemplateExpression(node)) {
      return node.templateSpans.reduce<readonly string[]>(
        (texts, span) => combined(combined(texts, this.textsOf(span.expression)), [span.literal.text]),
        [node.head.text],
      );
    }
    if (isObjectLiteralExpression(node)) {
      for (const property of node.properties) {
        if (isPropertyAssignment(property) && isIdentifier(property.name) && property.name.text === 'text') {
          return this.textsOf(property.initializer);
        }
      }
      return [];
    }
    if (isIdentifier(node)) return this.#parameters.get(node.text) ?? this.#valueOf(node);
    if (isCallExpression(node) && isIdentifier(node.expression)) return this.#callOf(node.expression, node.arguments);
    return [];
  }

  #declarationOf(node: Node): Node | undefined {
    const { checker } = this.#project;
    let symbol = checker.getSymbolAtLocation(node);
    if (symbol === undefined) return undefined;
    if ((symbol.flags & SymbolFlags.Alias) !== 0) symbol = checker.getAliasedSymbol(symbol);
    return symbol.valueDeclaration?.resolve(this.#project);
  }

  #valueOf(node: Node): readonly string[] {
    const declaration = this.#declarationOf(node);
    if (declaration === undefined || !isVariableDeclaration(declaration) || declaration.initializer === undefined) {
      return [];
    }
    return this.textsOf(declaration.initializer);
  }

  #callOf(callee: Node, given: readonly Expression[]): readonly string[] {
    const declaration = this.#declarationOf(callee);
    const called =
      declaration !== undefined && isVariableDeclaration(declaration) ? declaration.initializer : declaration;
    if (called === undefined || !(isArrowFunction(called) || isFunctionDeclaration(called))) return [];
    const body = called.body;
    if (body === undefined) return [];
    const inner = new Evaluation(this.#project);
    called.parameters.forEach((parameter, index) => {
      const argument = given[index];
      if (isIdentifier(parameter.name) && argument !== undefined) {
        inner.#parameters.set(parameter.name.text, this.textsOf(argument));
      }
    });
    if (!isBlock(body)) return inner.textsOf(body);
    const last = body.statements.at(-1);
    return body.statements.length === 1 && last !== undefined && isReturnStatement(last) && last.expression
      ? inner.textsOf(last.expression)
      : [];
  }
}

const bounded = (texts: readonly string[]): readonly string[] => (texts.length > MAX_VARIANTS ? [] : texts);

const combined = (before: readonly string[], after: readonly string[]): readonly string[] =>
  bounded(before.flatMap((text) => after.map((more) => text + more)));
