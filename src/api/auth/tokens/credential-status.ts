import type { Clock } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/postgres/index.ts';
import * as store from './store.ts';

/** What a token stands on. */
export interface CredentialSubjects {
  readonly tenantId: number;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly keyId: string | null;
}

/** What the things that tokens stand on are worth, kept so that another token for the same costs no query. */
export interface CredentialStatusCache {
  /**
   * `until`: epoch ms when it must be read again even without a message: messages can be lost, and an expiry sends none.
   * Throws where the database is not reachable.
   */
  read(subjects: CredentialSubjects): Promise<{ status: store.CredentialStatus; until: number }>;
  /** The status of everything that depends on the session, key, user or `tenant:<id>` is read again. */
  forget(id: string): void;
  forgetAll(): void;
}

const KEPT_MS = 30_000;
const MOST_KEPT = 10_000;

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
      const read = { subjects, status, until: Math.min(now + KEPT_MS, status.endsAt ?? Number.POSITIVE_INFINITY) };
      if (kept.size >= MOST_KEPT) kept.clear();
      // what was read may be older than what was heard meanwhile
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

const isValid = ({ tenantHolds, userHolds, sessionHolds, keyHolds }: store.CredentialStatus): boolean =>
  tenantHolds && userHolds !== false && sessionHolds !== false && keyHolds !== false;
