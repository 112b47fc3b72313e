import type { UnnumberedEvent } from '../contract/events.ts';
import type { Admission, AdmissionResult } from './admission.ts';
import { addDevice, devicesOf, type Link, removeDevice } from './link.ts';

export interface Login {
  readonly admission: AdmissionResult | 'no-id';
  readonly deviceId: string | undefined;
  /** what to report: sessions opened and closed, a rejected login */
  readonly events: readonly UnnumberedEvent[];
}

/**
 * Which link leads to which device. A newer link takes a device over; the older one is closed only when it carries no
 * other.
 */
export class Sessions {
  readonly #admission: Admission;
  readonly #links = new Map<string, Link>();
  /** last report of each rejected id: a device that keeps trying is reported once a minute */
  readonly #lastRejection = new Map<string, number>();

  constructor(admission: Admission) {
    this.#admission = admission;
  }

  get size(): number {
    return this.#links.size;
  }

  linkOf(deviceId: string): Link | undefined {
    return this.#links.get(deviceId);
  }

  /** Rare: looks through all links. */
  linkById(id: string): Link | undefined {
    for (const link of this.#links.values()) if (link.id === id) return link;
    return undefined;
  }

  /** A device says on a link who it is. */
  login(link: Link, ids: readonly [string, ...string[]], now: number): Login {
    const id = this.#admission.canonical(ids);
    if (id === undefined) return { admission: 'no-id', deviceId: undefined, events: [] };
    const before = this.#links.get(id);
    if (before === link) {
      link.deviceId = id;
      return { admission: 'known', deviceId: id, events: NOTHING };
    }
    const admission = this.#admission.check(id);
    if (admission === 'refused') return { admission, deviceId: id, events: this.#rejectLogin(link, id, now) };
    if (admission === 'unsure') return { admission, deviceId: id, events: NOTHING };
    const events: UnnumberedEvent[] = [];
    if (before !== undefined) {
      events.push(closed(before, id, 'taken over', now));
      if (!removeDevice(before, id)) before.close('taken over');
    }
    this.#links.set(id, link);
    addDevice(link, id);
    events.push({
      type: 'session-opened',
      at: now,
      imei: id,
      conn: link.id,
      ids: [...ids],
      protocol: link.protocol,
      transport: link.transport,
      remote: link.remote,
    });
    return { admission, deviceId: id, events };
  }

  /** The link is gone: the events to report. */
  end(link: Link, reason: string, now: number): UnnumberedEvent[] {
    const events: UnnumberedEvent[] = [];
    for (const id of devicesOf(link)) {
      if (this.#links.get(id) !== link) continue;
      this.#links.delete(id);
      events.push(closed(link, id, reason, now));
    }
    return events;
  }

  /** Devices that are online, for the lease of presence. */
  *open(): Iterable<{ imei: string; link: Link }> {
    for (const [imei, link] of this.#links) yield { imei, link };
  }

  #rejectLogin(link: Link, imei: string, now: number): UnnumberedEvent[] {
    const last = this.#lastRejection.get(imei);
    if (last !== undefined && now - last < 60_000) return [];
    if (this.#lastRejection.size > 10_000) this.#lastRejection.clear();
    this.#lastRejection.set(imei, now);
    return [{ type: 'knock', at: now, imei, protocol: link.protocol, remote: link.remote }];
  }
}

const NOTHING: readonly UnnumberedEvent[] = [];

const closed = (link: Link, imei: string, reason: string, at: number): UnnumberedEvent => ({
  type: 'session-closed',
  at,
  imei,
  conn: link.id,
  reason,
});
