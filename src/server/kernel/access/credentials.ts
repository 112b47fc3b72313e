import type { Principal } from './scopes.ts';

/** Finds the caller of a bearer credential. */
export interface Credentials {
  /** Undefined if invalid. Throws if the database is needed and unreachable. */
  identify(token: string, connection?: object): Promise<Principal | undefined>;
  /**
   * The cached result of `identify` for the same token on the same connection, if not expired or revoked;
   * synchronous.
   */
  recall(token: string, connection: object): Principal | undefined;
}
