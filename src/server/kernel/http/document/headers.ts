import type { ErrorCode } from '../../../../platform/errors.ts';

/** The part of the route configuration that determines its headers. */
export interface HeaderRoute {
  /** takes an Idempotency-Key, see repeatable.ts */
  readonly isRepeatable?: boolean;
  /** answers with an ETag, see etags.ts */
  readonly isTagged?: boolean;
  /** sends Retry-After with successful responses */
  readonly isPolled?: boolean;
  readonly produces?: string;
  readonly errors?: readonly ErrorCode[];
}

interface Header {
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer'; readonly [keyword: string]: unknown };
}
interface HeaderParameter extends Header {
  readonly name: string;
  readonly in: 'header';
  readonly required: false;
}
type Headers = Readonly<Record<string, Header>>;

/** Headers of an operation in the OpenAPI document. */
export interface OperationHeaders {
  readonly parameters: readonly HeaderParameter[];
  readonly success: Headers;
  /** the 304 response */
  readonly notModified?: { readonly description: string; readonly headers: Headers };
}

const header = (description: string, schema: Header['schema'] = { type: 'string' }): Header => ({
  description,
  schema,
});
const parameter = (name: string, description: string, schema?: Header['schema']): HeaderParameter => ({
  name,
  in: 'header',
  required: false,
  ...header(description, schema),
});

const ETAG = { ETag: header('Entity tag of the answer, for If-None-Match and If-Match') };
const RETRY_AFTER = { 'Retry-After': header('Seconds after which to ask again', { type: 'integer', minimum: 0 }) };
const LINK = { Link: header('`<…>; rel="next"`: the next page, where there is one') };
const REPLAYED = { 'Idempotency-Replayed': header('`true`: the answer of the first request with this key') };
const KEY = { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' } as const;

/** Headers that follow from the route configuration and from a `cursor` parameter. */
export function headersOf(
  methods: readonly string[],
  { isRepeatable = false, isTagged = false, isPolled = false, produces, errors = [] }: HeaderRoute,
  hasPages: boolean,
): OperationHeaders {
  const isRead = methods.includes('GET');
  const parameters = [
    ...(isRepeatable
      ? [parameter('Idempotency-Key', 'Repeats of the request with the same key have no effect for 24 hours', KEY)]
      : []),
    ...(isTagged && isRead ? [parameter('If-None-Match', 'Entity tags that the client has: 304 for one of them')] : []),
    ...(errors.includes('precondition-failed')
      ? [parameter('If-Match', 'Entity tag of the record that is changed: 412 if it was changed in the meantime')]
      : []),
    ...(produces === 'text/event-stream'
      ? [parameter('Last-Event-ID', 'Id of the last event that the client has: continues behind it')]
      : []),
  ];
  const success = {
    ...(isTagged ? ETAG : {}),
    ...(hasPages && isRead ? LINK : {}),
    ...(isPolled ? RETRY_AFTER : {}),
    ...(isRepeatable ? REPLAYED : {}),
  };
  const notModified = { description: 'The client has the answer already', headers: ETAG };
  return { parameters, success, ...(isTagged && isRead ? { notModified } : {}) };
}

const PASSING_STATUSES = new Set(['423', '429', '503']);

/** Retry-After for temporary problems. */
export const headersOfProblem = (status: string, codes: readonly string[]): Headers | undefined =>
  PASSING_STATUSES.has(status) || codes.includes('idempotency-key-in-use') ? RETRY_AFTER : undefined;
