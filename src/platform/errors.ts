/**
 * Every error that a caller can meet, in one table: `docs/errors.md` is written from it. `AppError` is thrown with a
 * code of it and becomes a problem (RFC 9457) at the edge.
 */
export const errorTable = {
  malformed: { status: 400, title: 'The request cannot be read' },
  unauthorized: { status: 401, title: 'A valid bearer credential is needed' },
  'invalid-assertion': { status: 401, title: 'The assertion does not hold' },
  'missing-scope': { status: 403, title: 'The credential does not allow this' },
  'not-found': { status: 404, title: 'No such path' },
  'unknown-device': { status: 404, title: 'No such device' },
  'unknown-vehicle': { status: 404, title: 'No such vehicle' },
  'no-position-yet': { status: 404, title: 'The device has not reported a position yet' },
  'method-not-allowed': { status: 405, title: 'The path does not take this method' },
  'not-acceptable': { status: 406, title: 'No representation that the client accepts' },
  conflict: { status: 409, title: 'The state does not allow this' },
  'too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The media type is not taken here' },
  invalid: { status: 422, title: 'The request is understood and not valid' },
  'from-after-to': { status: 422, title: 'The interval ends before it begins' },
  'bad-cursor': { status: 422, title: 'The cursor is not one of this list' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something is wrong here' },
  unavailable: { status: 503, title: 'Not able to answer now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

export interface FieldProblem {
  /** JSON pointer into the body, or the name of a parameter */
  readonly pointer: string;
  readonly detail: string;
}

/** An error that the caller is told about. `detail` never holds secrets, SQL or stacks. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: readonly FieldProblem[];

  constructor(code: ErrorCode, detail?: string, errors: readonly FieldProblem[] = []) {
    super(detail ?? errorTable[code].title);
    this.code = code;
    this.status = errorTable[code].status;
    this.errors = errors;
  }
}
