import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { AppError, type ErrorCode, errorTable, type FieldProblem } from '../../../platform/errors.ts';

type Issue = z.core.$ZodIssue;

const PARTS: Readonly<Record<string, string>> = { body: 'body', querystring: 'query', params: 'path' };

/** Validates a part of a request. Errors have JSON pointers for body, query and path parameters. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = 'request' }) => {
  const part = PARTS[httpPart] ?? httpPart;
  return (value: unknown) => {
    const result = schema.safeParse(value);
    return result.success ? { value: result.data } : { error: toError(result.error.issues, part, value) };
  };
};

function toError(issues: readonly Issue[], part: string, value: unknown): AppError {
  const found = issues.flatMap((issue) => unfold(issue, []));
  const errors = found.flatMap((issue) => problemsOf(issue, part, value));
  const own = found.map(codeOf).find((code) => code !== undefined);
  return own === undefined
    ? new AppError('invalid', `The ${part} is not valid`, errors)
    : new AppError(own, undefined, errors);
}

/** Issues with their whole path. Of a union, the issues of the best matching alternative. */
function unfold(issue: Issue, parent: readonly PropertyKey[]): Issue[] {
  const path = [...parent, ...issue.path];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ ...issue, path }];
  const isOtherType = (issues: readonly Issue[]): boolean =>
    issues.some((each) => each.path.length === 0 && each.code === 'invalid_type');
  const close = issue.errors.filter((issues) => !isOtherType(issues));
  const [best] = close.sort((a, b) => a.length - b.length);
  return best === undefined ? [{ ...issue, path }] : best.flatMap((each) => unfold(each, path));
}

function problemsOf(issue: Issue, part: string, value: unknown): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const detail = part === 'query' ? 'unknown query parameter' : 'unknown member';
    return issue.keys.map((key) => ({ pointer: pointerOf([...issue.path, key]), detail }));
  }
  return [{ pointer: pointerOf(issue.path), detail: detailOf(issue, value) }];
}

function detailOf(issue: Issue, value: unknown): string {
  const { isGiven, at } = look(value, issue.path);
  if (!isGiven && issue.code !== 'custom') return 'required';
  if (issue.code === 'invalid_type' && issue.expected === 'number' && typeof at !== 'number') return 'not a number';
  return issue.message.replace(/^Invalid input: /, '');
}

/** The value at the path of an issue. */
function look(value: unknown, path: readonly PropertyKey[]): { readonly isGiven: boolean; readonly at: unknown } {
  let at = value;
  for (const key of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, key)) return { isGiven: false, at: undefined };
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return { isGiven: at !== undefined, at };
}

/** RFC 6901 */
const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** A check with an error code of its own: `.refine(check, { params: { code } })`. */
function codeOf(issue: Issue): ErrorCode | undefined {
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return typeof code === 'string' && Object.hasOwn(errorTable, code) ? (code as ErrorCode) : undefined;
}
