/**
 * Every error that a caller can meet, in one table: `docs/errors.md` is written from it. `AppError` is thrown with a
 * code of it and becomes a problem (RFC 9457) at the edge.
 */
export const errorTable = {
  malformed: { status: 400, title: 'The request cannot be read' },
  'invalid-or-expired-token': { status: 400, title: 'The code or token of the recovery does not hold' },
  unauthorized: { status: 401, title: 'A valid bearer credential is needed' },
  'invalid-assertion': { status: 401, title: 'The assertion does not hold' },
  'invalid-credentials': { status: 401, title: 'User name and password do not fit' },
  'otp-required': { status: 401, title: 'A one-time password is needed too' },
  'invalid-client': { status: 401, title: 'The key or client secret does not hold' },
  'missing-scope': { status: 403, title: 'The credential does not allow this' },
  'scope-not-granted': { status: 403, title: 'The credential has not all of the scopes asked for' },
  'partner-off': { status: 403, title: 'The tenant shares nothing with this partner' },
  'not-found': { status: 404, title: 'No such path' },
  'unknown-device': { status: 404, title: 'No such device' },
  'unknown-vehicle': { status: 404, title: 'No such vehicle' },
  'unknown-command': { status: 404, title: 'No such command' },
  'unknown-user': { status: 404, title: 'No such user' },
  'unknown-driver': { status: 404, title: 'No such driver' },
  'unknown-group': { status: 404, title: 'No such group' },
  'unknown-geofence': { status: 404, title: 'No such geofence' },
  'unknown-pairing': { status: 404, title: 'No such pairing' },
  'unknown-expense': { status: 404, title: 'No such expense' },
  'unknown-file': { status: 404, title: 'No such tachograph file' },
  'unknown-infringement': { status: 404, title: 'No such infringement' },
  'no-files': { status: 404, title: 'There are no tachograph files of that choice' },
  'unknown-key': { status: 404, title: 'No such key' },
  'unknown-notification': { status: 404, title: 'No such notification or rule' },
  'unknown-webhook': { status: 404, title: 'No such webhook' },
  'unknown-tenant': { status: 404, title: 'No such tenant' },
  'no-position-yet': { status: 404, title: 'The device has not reported a position yet' },
  'no-data': { status: 404, title: 'There is no data in the interval' },
  'method-not-allowed': { status: 405, title: 'The path does not take this method' },
  'not-acceptable': { status: 406, title: 'No representation that the client accepts' },
  'request-timeout': { status: 408, title: 'The request did not come in time' },
  conflict: { status: 409, title: 'The state does not allow this' },
  'not-analysed': { status: 409, title: 'The tachograph data asked for have not been analysed' },
  'duplicate-pending': { status: 409, title: 'A command with this dedupeKey is open already' },
  'command-in-flight': { status: 409, title: 'The command is on its way to the device' },
  'already-final': { status: 409, title: 'The command has ended' },
  'at-most-once': { status: 409, title: 'The command may run once, and may have run' },
  'version-unsupported': { status: 409, title: 'There is no such version of the operation' },
  'rule-owned-by-system': { status: 409, title: 'The rule belongs to the system' },
  'idempotency-key-in-use': { status: 409, title: 'The first request with this key is still being worked on' },
  'diagnostics-off': { status: 410, title: 'Diagnostics are switched off here' },
  'precondition-failed': { status: 412, title: 'The record has been changed since' },
  'too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The media type is not taken here' },
  invalid: { status: 422, title: 'The request is understood and not valid' },
  'from-after-to': { status: 422, title: 'The interval ends before it begins' },
  'not-a-ddd': { status: 422, title: 'The file is no tachograph download' },
  'unknown-timezone': { status: 422, title: 'No such time zone' },
  'bad-from': { status: 422, title: 'The beginning is no instant' },
  'bad-date': { status: 422, title: 'The date is none' },
  'weak-password': { status: 422, title: 'The password is too easy to guess' },
  'interval-too-long': { status: 422, title: 'The interval is longer than may be asked for' },
  'polygon-not-closed': { status: 422, title: 'The ring does not end where it begins' },
  'polygon-self-intersects': { status: 422, title: 'The ring meets itself or encloses no area' },
  'matching-unavailable': { status: 422, title: 'Positions are not matched to roads here' },
  'bad-cursor': { status: 422, title: 'The cursor is not one of this list' },
  'bad-device-id': { status: 422, title: 'A device id is 1 to 64 of A-Z a-z 0-9 . _ : -' },
  'command-too-long': { status: 422, title: 'The command has more than 1024 bytes' },
  'unsupported-by-protocol': { status: 422, title: 'The device’s protocol has no such command' },
  'bad-parameters': { status: 422, title: 'The device’s protocol cannot carry the command as it is' },
  'ttl-out-of-range': { status: 422, title: 'The time to live is too short or too long' },
  'private-address': { status: 422, title: 'The URL leads to a private address' },
  'idempotency-key-reused': { status: 422, title: 'The key was used for another request' },
  'device-queue-full': { status: 429, title: 'The device has as many open commands as it may have' },
  locked: { status: 423, title: 'Too many wrong passwords; log-in is locked for a while' },
  'app-too-old': { status: 426, title: 'The app is too old for this server' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The headers are too large' },
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
  /** when it is worth to try again, s */
  readonly retryAfterS: number | undefined;

  /** `status`: where what is not there is named in a body, and the path is right */
  constructor(
    code: ErrorCode,
    detail?: string,
    errors: readonly FieldProblem[] = [],
    retryAfterS?: number,
    status: number = errorTable[code].status,
  ) {
    super(detail ?? errorTable[code].title);
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.retryAfterS = retryAfterS;
  }
}
