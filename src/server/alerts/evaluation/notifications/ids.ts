import { createHash } from 'node:crypto';

/** A deterministic id: a hash of its parts. */
export const idFrom = (prefix: string, ...parts: readonly (string | number)[]): string =>
  `${prefix}_${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}`;
