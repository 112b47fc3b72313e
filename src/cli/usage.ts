/** A mistake of the one who typed the command: printed as one line, exit code 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
