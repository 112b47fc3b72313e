import type { Principal } from './scopes.ts';

/** Finds the caller of a bearer credential. */
export interface Credentials {
  /** Undefined where it is not valid. Throws where the database is needed and not reachable. */
  identify(token: string, connection?: object): Promise<Principal | undefined>;
  /** What `identify` found for the same token of the same connection, while that holds: most requests wait for nothing. */
  recall(token: string, connection: object): Principal | undefined;
}
