import type { Clock } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/postgres/index.ts';
import * as store from './store.ts';

/** What a token stands on. */
export interface Ground {
  readonly tenantId: number;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly keyId: string | null;
}

/** What the things that tokens stand on are worth, kept so that another token for the same costs no query. */
export interface Standings {
  /**
   * `until`: epoch ms; to be read anew then, though nothing was heard: what was said may have been lost, and what ends by
   * itself is said by nobody. Throws where the database is away.
   */
  read(ground: Ground): Promise<{ standing: store.Standing; until: number }>;
  /** Whatever stands on the session, key, user or `tenant:<id>` is read anew. */
  forget(id: string): void;
  forgetAll(): void;
}

const KEPT_MS = 30_000;
const MOST_KEPT = 10_000;

export function createStandings(pool: Queryable, clock: Clock): Standings {
  const kept = new Map<string, { ground: Ground; standing: store.Standing; until: number }>();
  let forgotten = 0;
  return {
    async read(ground) {
      const name = JSON.stringify([ground.tenantId, ground.userId, ground.sessionId, ground.keyId]);
      const known = kept.get(name);
      const now = clock.now();
      if (known !== undefined && known.until > now) return known;
      const before = forgotten;
      const standing = await store.readStanding(pool, ground);
      const read = { ground, standing, until: Math.min(now + KEPT_MS, standing.endsAt ?? Number.POSITIVE_INFINITY) };
      if (kept.size >= MOST_KEPT) kept.clear();
      // what was read may be older than what was heard meanwhile
      if (before === forgotten && holds(read.standing)) kept.set(name, read);
      return read;
    },
    forget(id) {
      forgotten++;
      for (const [name, { ground }] of kept) {
        const { tenantId, userId, sessionId, keyId } = ground;
        if ([userId, sessionId, keyId, `tenant:${tenantId}`].includes(id)) kept.delete(name);
      }
    },
    forgetAll() {
      forgotten++;
      kept.clear();
    },
  };
}

const holds = ({ tenantHolds, userHolds, sessionHolds, keyHolds }: store.Standing): boolean =>
  tenantHolds && userHolds !== false && sessionHolds !== false && keyHolds !== false;
