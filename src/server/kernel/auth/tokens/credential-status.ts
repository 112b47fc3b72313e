import type { Clock } from '../../../../platform/clock.ts';
import type { Queryable } from '../../../database/index.ts';
import * as store from './store.ts';

/** The tenant, user, session and key that a token depends on. */
export interface CredentialSubjects {
  readonly tenantId: number;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly keyId: string | null;
}

/** Cache of the status of tenant, user, session and key, so that tokens with the same subjects cost one query. */
export interface CredentialStatusCache {
  /**
   * `until`: epoch ms at which the entry expires. Notifications can be lost, and the expiry of a session or key sends
   * none. Throws if the database is unreachable.
   */
  read(subjects: CredentialSubjects): Promise<{ status: store.CredentialStatus; until: number }>;
  /** Drops the entries that depend on the session, key, user or `tenant:<id>`. */
  forget(id: string): void;
  forgetAll(): void;
}

const CACHE_TTL_MS = 30_000;
const MAX_CACHE_ENTRIES = 10_000;

export function createCredentialStatusCache(pool: Queryable, clock: Clock): CredentialStatusCache {
  const kept = new Map<string, { subjects: CredentialSubjects; status: store.CredentialStatus; until: number }>();
  let forgotten = 0;
  return {
    async read(subjects) {
      const name = JSON.stringify([subjects.tenantId, subjects.userId, subjects.sessionId, subjects.keyId]);
      const known = kept.get(name);
      const now = clock.now();
      if (known !== undefined && known.until > now) return known;
      const before = forgotten;
      const status = await store.readCredentialStatus(pool, subjects);
      const read = { subjects, status, until: Math.min(now + CACHE_TTL_MS, status.endsAt ?? Number.POSITIVE_INFINITY) };
      if (kept.size >= MAX_CACHE_ENTRIES) kept.clear();
      // the row may be older than a notification that arrived during the query
      if (before === forgotten && isValid(read.status)) kept.set(name, read);
      return read;
    },
    forget(id) {
      forgotten++;
      for (const [name, { subjects }] of kept) {
        const { tenantId, userId, sessionId, keyId } = subjects;
        if ([userId, sessionId, keyId, `tenant:${tenantId}`].includes(id)) kept.delete(name);
      }
    },
    forgetAll() {
      forgotten++;
      kept.clear();
    },
  };
}

const isValid = ({ isTenantActive, isUserActive, isSessionActive, isKeyActive }: store.CredentialStatus): boolean =>
  isTenantActive && isUserActive !== false && isSessionActive !== false && isKeyActive !== false;
