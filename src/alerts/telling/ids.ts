import { createHash } from 'node:crypto';

/** An id that follows from what it names, so that the same thing never gets two. */
export const idFrom = (prefix: string, ...parts: readonly (string | number)[]): string =>
  `${prefix}_${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}`;
