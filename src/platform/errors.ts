/**
 * Every error code of the REST API with its status and title. `docs/errors.md` is generated from this table. An
 * `AppError` with one of these codes is sent as a problem document (RFC 9457).
 */
export const errorTable = {
  malformed: { status: 400, title: 'Malformed request' },
  'idempotency-key-unsupported': { status: 400, title: 'The operation does not accept an idempotency key' },
  'invalid-or-expired-token': { status: 400, title: 'Invalid or expired recovery code or token' },
  unauthorized: { status: 401, title: 'Missing or invalid bearer credential' },
  'invalid-assertion': { status: 401, title: 'Invalid assertion' },
  'invalid-credentials': { status: 401, title: 'Invalid user name or password' },
  'otp-required': { status: 401, title: 'One-time password required' },
  'invalid-client': { status: 401, title: 'Invalid API key or client secret' },
  'missing-scope': { status: 403, title: 'Missing scope' },
  'scope-not-granted': { status: 403, title: 'Requested scope not granted' },
  'partner-off': { status: 403, title: 'Sharing with this partner is disabled' },
  'not-found': { status: 404, title: 'Path not found' },
  'unknown-device': { status: 404, title: 'Device not found' },
  'unknown-vehicle': { status: 404, title: 'Vehicle not found' },
  'unknown-command': { status: 404, title: 'Command not found' },
  'unknown-user': { status: 404, title: 'User not found' },
  'unknown-driver': { status: 404, title: 'Driver not found' },
  'unknown-group': { status: 404, title: 'Group not found' },
  'unknown-geofence': { status: 404, title: 'Geofence not found' },
  'unknown-pairing': { status: 404, title: 'Pairing not found' },
  'unknown-address': { status: 404, title: 'Address not found' },
  'unknown-expense': { status: 404, title: 'Expense not found' },
  'unknown-maintenance-plan': { status: 404, title: 'Maintenance plan not found' },
  'unknown-file': { status: 404, title: 'Tachograph file not found' },
  'unknown-infringement': { status: 404, title: 'Infringement not found' },
  'unknown-letter': { status: 404, title: 'Letter to a driver not found' },
  'unknown-absence': { status: 404, title: 'Absence not found' },
  'unknown-attestation': { status: 404, title: 'Attestation of activities not found' },
  'unknown-upload': { status: 404, title: 'Upload not found' },
  'unknown-correction': { status: 404, title: 'Correction not found' },
  'unknown-transport': { status: 404, title: 'Transport operation not found' },
  'unknown-schedule': { status: 404, title: 'Schedule of remote downloads not found' },
  'no-files': { status: 404, title: 'No matching tachograph files' },
  'unknown-key': { status: 404, title: 'API key not found' },
  'unknown-notification': { status: 404, title: 'Notification or rule not found' },
  'unknown-claim': { status: 404, title: 'Device claim not found' },
  'unknown-session': { status: 404, title: 'Session not found' },
  'unknown-share-link': { status: 404, title: 'Share link not found, expired or revoked' },
  'unknown-stream': { status: 404, title: 'Stream not found' },
  'unknown-set-aside-record': { status: 404, title: 'The gateway has not set this record aside' },
  'unknown-report': { status: 404, title: 'Scheduled report or run not found' },
  'unknown-webhook': { status: 404, title: 'Webhook not found' },
  'unknown-tenant': { status: 404, title: 'Tenant not found' },
  'no-position-yet': { status: 404, title: 'The device has reported no position, or none that is recent enough' },
  'no-data': { status: 404, title: 'No data in the interval' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'not-acceptable': { status: 406, title: 'No acceptable representation' },
  'request-timeout': { status: 408, title: 'Request timeout' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  'letter-exists': { status: 409, title: 'A letter about the infringement exists' },
  'not-analysed': { status: 409, title: 'The requested tachograph data have not been analyzed' },
  'duplicate-pending': { status: 409, title: 'An open command with this dedupeKey already exists' },
  'command-in-flight': { status: 409, title: 'The command is already being sent to the device' },
  'already-final': { status: 409, title: 'The command has already ended' },
  'at-most-once': { status: 409, title: 'The command may have been executed and must not be repeated' },
  'version-unsupported': { status: 409, title: 'Unsupported version of the operation' },
  'rule-owned-by-system': { status: 409, title: 'System rules cannot be changed' },
  'idempotency-key-in-use': { status: 409, title: 'A request with this idempotency key is still in progress' },
  'diagnostics-off': { status: 410, title: 'Diagnostics are disabled' },
  'precondition-failed': { status: 412, title: 'The record has changed since it was read' },
  'too-large': { status: 413, title: 'Request body too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  invalid: { status: 422, title: 'Invalid request' },
  'from-after-to': { status: 422, title: '`from` is later than `to`' },
  'too-many-unseen-devices': { status: 409, title: 'Too many registered devices have never sent anything' },
  'absence-overlaps': { status: 409, title: 'Another absence covers part of the interval' },
  'correction-overlaps': { status: 409, title: 'Another correction covers part of the interval' },
  'correction-without-effect': {
    status: 422,
    title: 'The data have nothing in the interval that the correction changes',
  },
  'employer-incomplete': { status: 409, title: 'The settings lack data of the undertaking' },
  'signature-not-invalid': { status: 409, title: 'The file has no invalid signature' },
  'not-a-ddd': { status: 422, title: 'Not a tachograph file' },
  'several-cards': { status: 422, title: 'The file holds records of several cards or vehicle units' },
  'broken-archive': { status: 422, title: 'The archive cannot be read' },
  'unknown-timezone': { status: 422, title: 'Unknown time zone' },
  'bad-from': { status: 422, title: 'Invalid start time' },
  'bad-date': { status: 422, title: 'Invalid date' },
  'weak-password': { status: 422, title: 'The password is too easy to guess' },
  'interval-too-long': { status: 422, title: 'The interval is too long' },
  'too-many-positions': { status: 422, title: 'The interval has too many positions' },
  'not-backtestable': { status: 422, title: 'Rules of this type cannot be backtested' },
  'polygon-not-closed': { status: 422, title: 'The first and last position of the polygon differ' },
  'polygon-self-intersects': { status: 422, title: 'The polygon intersects itself or has no area' },
  'matching-unavailable': { status: 422, title: 'Map matching is not available' },
  'bad-cursor': { status: 422, title: 'Invalid cursor for this list' },
  'bad-device-id': { status: 422, title: 'Invalid device id: 1 to 64 characters of A-Z a-z 0-9 . _ : -' },
  'command-too-long': { status: 422, title: 'The command is longer than 1024 bytes' },
  'unsupported-by-protocol': { status: 422, title: 'The protocol of the device does not support this command' },
  'bad-parameters': { status: 422, title: 'The protocol of the device cannot encode this command' },
  'ttl-out-of-range': { status: 422, title: 'Time to live out of range' },
  'invalid-proof': { status: 422, title: 'The proof of the device is not valid' },
  'private-address': { status: 422, title: 'The URL resolves to a private address' },
  'idempotency-key-reused': { status: 422, title: 'The idempotency key was used for a different request' },
  'device-queue-full': { status: 429, title: 'Too many open commands for this device' },
  locked: { status: 423, title: 'Login is temporarily locked after too many wrong passwords' },
  'app-too-old': { status: 426, title: 'The app version is no longer supported' },
  'too-many-uploads': { status: 429, title: 'Too many uploads are being worked on' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'Request headers too large' },
  internal: { status: 500, title: 'Internal server error' },
  'not-implemented': { status: 501, title: 'Not implemented' },
  unavailable: { status: 503, title: 'Service unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

export interface FieldProblem {
  /** JSON pointer into the body, the query or the path parameters: `/limit`, `/conditions/maxSpeed` */
  readonly pointer: string;
  readonly detail: string;
}

/** An error that is reported to the caller. `detail` never contains secrets, SQL or stack traces. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: readonly FieldProblem[];
  /** seconds after which the caller may retry */
  readonly retryAfterS: number | undefined;

  /** `status`: replaces that of the table, for example when a request body names a record that does not exist */
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
