import { DAY_MS } from '../../../platform/durations.ts';
import type { DayCounts } from './store.ts';

/** Active users or devices of a day; `added` are not yet in the database. */
class Members<T> {
  readonly #all = new Set<T>();
  added: T[] = [];

  add(member: T): void {
    if (this.#all.has(member)) return;
    this.#all.add(member);
    this.added.push(member);
  }

  /** Returns members whose write failed. */
  restore(members: readonly T[]): void {
    for (const member of members) {
      this.#all.add(member);
      this.added.push(member);
    }
  }
}

/** Counts of a tenant and day since the last `take`. */
class Tally {
  requests = 0;
  frames = 0;
  positions = 0;
  stored = 0;
  readonly users = new Members<string>();
  readonly devices = new Members<number>();

  /** Undefined if nothing was counted. */
  take(): Omit<DayCounts, 'tenantId' | 'day'> | undefined {
    const { requests, frames, positions, stored } = this;
    const [users, devices] = [this.users.added, this.devices.added];
    if (requests + frames + positions + stored + users.length + devices.length === 0) return undefined;
    this.requests = 0;
    this.frames = 0;
    this.positions = 0;
    this.stored = 0;
    this.users.added = [];
    this.devices.added = [];
    return { requests, frames, received: positions, stored, users, devices };
  }

  restore(counts: DayCounts): void {
    this.requests += counts.requests;
    this.frames += counts.frames;
    this.positions += counts.received;
    this.stored += counts.stored;
    this.users.restore(counts.users);
    this.devices.restore(counts.devices);
  }
}

const numberOf = (epochMs: number): number => Math.floor(epochMs / DAY_MS);
/** Day of an instant, UTC. */
export const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

export interface Device {
  readonly id: number;
  readonly tenantId: number;
}

/** Device ids above this are looked up in sets. */
const MAX_MARKS = 4_194_304;
const FIRST_MARKS = 16_384;
const TENANTS = 2 ** 32;

/** Day and tenant for which a device was last counted; an array because it is read for every record. */
class Marks {
  #marks = new Float64Array(FIRST_MARKS);

  /** Whether the device was not yet counted on this day. */
  isNew({ id, tenantId }: Device, day: number): boolean {
    if (id >= this.#marks.length && !this.#grow(id)) return true;
    const mark = day * TENANTS + tenantId;
    if (this.#marks[id] === mark) return false;
    this.#marks[id] = mark;
    return true;
  }

  #grow(id: number): boolean {
    if (id >= MAX_MARKS) return false;
    const marks = new Float64Array(Math.min(MAX_MARKS, 2 ** Math.ceil(Math.log2(id + 1))));
    marks.set(this.#marks);
    this.#marks = marks;
    return true;
  }
}

/** Counts in memory, by day (UTC) and tenant. */
export class Counters {
  /** day since 1970 → tenant */
  readonly #days = new Map<number, Map<number, Tally>>();
  readonly #marks = new Marks();

  of(tenantId: number, now: number): Tally {
    return this.#tally(numberOf(now), tenantId);
  }

  /** The device of each record from index `first` on. */
  countRecords(
    kind: 'frames' | 'positions',
    devices: readonly (Device | undefined)[],
    first: number,
    now: number,
  ): void {
    const day = numberOf(now);
    let tenantId: number | undefined;
    let tally: Tally | undefined;
    for (let n = first; n < devices.length; n++) {
      const device = devices[n];
      if (device === undefined) continue;
      if (tally === undefined || device.tenantId !== tenantId) {
        tenantId = device.tenantId;
        tally = this.#tally(day, tenantId);
      }
      tally[kind]++;
      if (this.#marks.isNew(device, day)) tally.devices.add(device.id);
    }
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

  /** Counts since the last call; days before `now` are dropped. */
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

  /** Returns counts whose write failed. */
  restore(taken: readonly DayCounts[]): void {
    for (const counts of taken) this.#tally(numberOf(Date.parse(counts.day)), counts.tenantId).restore(counts);
  }
}
