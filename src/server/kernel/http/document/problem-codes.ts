import { type ErrorCode, errorTable } from '../../../../platform/errors.ts';
import type { Access } from '../access.ts';
import { hasEffects } from '../repeatable.ts';

/** The part of the route configuration that determines its error codes. */
export interface FailingRoute {
  readonly access?: Access;
  readonly errors?: readonly ErrorCode[];
  readonly refersTo?: readonly ErrorCode[];
  readonly rateLimit?: unknown;
  readonly isRepeatable?: boolean;
}

/** A route's schema, as JSON Schema. */
export interface FailingSchema {
  readonly body?: unknown;
  readonly params?: unknown;
  readonly querystring?: { readonly properties?: Readonly<Record<string, unknown>> };
}

/** error codes of every operation */
const ANY: readonly ErrorCode[] = [
  'malformed',
  'not-acceptable',
  'request-timeout',
  'headers-too-large',
  'internal',
  'unavailable',
];
const CLOSED: readonly ErrorCode[] = ['unauthorized', 'missing-scope'];
const WITH_BODY: readonly ErrorCode[] = ['unsupported-media-type', 'too-large'];
const REPEATABLE: readonly ErrorCode[] = ['idempotency-key-in-use', 'idempotency-key-reused'];
const WITH_EFFECTS: readonly ErrorCode[] = ['idempotency-key-unsupported'];

/** Error codes of an operation by status: those that follow from its schema and access, and those that it declares. */
export function problemsOf(
  methods: readonly string[],
  { body, params, querystring }: FailingSchema,
  { access = 'public', errors = [], refersTo = [], rateLimit, isRepeatable = false }: FailingRoute,
): ReadonlyMap<number, readonly ErrorCode[]> {
  const isRead = methods.every((method) => method === 'GET' || method === 'HEAD');
  const takesAnything = body !== undefined || params !== undefined || querystring !== undefined;
  const codes: readonly ErrorCode[] = [
    ...ANY,
    ...(access === 'public' ? [] : CLOSED),
    ...(rateLimit === false ? [] : (['rate-limited'] as const)),
    ...(isRead ? [] : WITH_BODY),
    ...(takesAnything ? (['invalid'] as const) : []),
    // a parameter with a slash matches no route
    ...(params === undefined ? [] : (['not-found'] as const)),
    ...(querystring?.properties?.['cursor'] === undefined ? [] : (['bad-cursor'] as const)),
    ...(hasEffects(methods, access) ? WITH_EFFECTS : []),
    ...(isRepeatable ? REPEATABLE : []),
    ...errors,
  ];
  const byStatus = new Map<number, Set<ErrorCode>>();
  const note = (status: number, code: ErrorCode): void => {
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  };
  for (const code of codes) note(errorTable[code].status, code);
  for (const code of refersTo) note(422, code);
  return new Map([...byStatus].map(([status, set]) => [status, [...set].sort()] as const).sort(([a], [b]) => a - b));
}
