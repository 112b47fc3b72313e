import type { Principal } from './scopes.ts';

/** Finds the caller of a bearer credential. */
export interface Credentials {
  /** Undefined where it is not valid. Throws where the database is needed and not reachable. */
  identify(token: string): Promise<Principal | undefined>;
}
