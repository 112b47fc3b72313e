import type { DayCounts } from './store.ts';

/** Who was active on a day; `added` are those that the database does not have yet. */
class Members<T> {
  readonly #all = new Set<T>();
  added: T[] = [];

  add(member: T): void {
    if (this.#all.has(member)) return;
    this.#all.add(member);
    this.added.push(member);
  }

  /** They were not written. */
  restore(members: readonly T[]): void {
    for (const member of members) {
      this.#all.add(member);
      this.added.push(member);
    }
  }
}

/** What was counted of a tenant on a day since it was last taken. */
class Tally {
  requests = 0;
  frames = 0;
  received = 0;
  stored = 0;
  readonly users = new Members<string>();
  readonly devices = new Members<number>();

  /** Undefined: nothing. */
  take(): Omit<DayCounts, 'tenantId' | 'day'> | undefined {
    const { requests, frames, received, stored } = this;
    const [users, devices] = [this.users.added, this.devices.added];
    if (requests + frames + received + stored + users.length + devices.length === 0) return undefined;
    this.requests = 0;
    this.frames = 0;
    this.received = 0;
    this.stored = 0;
    this.users.added = [];
    this.devices.added = [];
    return { requests, frames, received, stored, users, devices };
  }

  restore(counts: DayCounts): void {
    this.requests += counts.requests;
    this.frames += counts.frames;
    this.received += counts.received;
    this.stored += counts.stored;
    this.users.restore(counts.users);
    this.devices.restore(counts.devices);
  }
}

const DAY_MS = 86_400_000;
const numberOf = (epochMs: number): number => Math.floor(epochMs / DAY_MS);
/** Day of an instant, UTC. */
export const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

/** Counts in memory, by day (UTC) and tenant. */
export class Counters {
  /** day since 1970 → tenant */
  readonly #days = new Map<number, Map<number, Tally>>();

  of(tenantId: number, now: number): Tally {
    return this.#tally(numberOf(now), tenantId);
  }

  #tally(day: number, tenantId: number): Tally {
    let tenants = this.#days.get(day);
    if (tenants === undefined) {
      tenants = new Map();
      this.#days.set(day, tenants);
    }
    let tally = tenants.get(tenantId);
    if (tally === undefined) {
      tally = new Tally();
      tenants.set(tenantId, tally);
    }
    return tally;
  }

  /** All that was counted since the last call; days that are over at `now` are forgotten. */
  take(now: number): DayCounts[] {
    const taken: DayCounts[] = [];
    for (const [day, tenants] of this.#days) {
      for (const [tenantId, tally] of tenants) {
        const counts = tally.take();
        if (counts !== undefined) taken.push({ tenantId, day: dayOf(day * DAY_MS), ...counts });
      }
      if (day < numberOf(now)) this.#days.delete(day);
    }
    return taken;
  }

  /** What was taken was not written. */
  restore(taken: readonly DayCounts[]): void {
    for (const counts of taken) this.#tally(numberOf(Date.parse(counts.day)), counts.tenantId).restore(counts);
  }
}
