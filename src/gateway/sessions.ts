import type { UnnumberedEvent } from '../contract/events.ts';
import type { Admission, AdmissionResult } from './admission.ts';
import { addDevice, devicesOf, type Link, removeDevice } from './link.ts';

export interface Login {
  readonly verdict: AdmissionResult | 'no-id';
  readonly deviceId: string | undefined;
  /** what to report: sessions opened and closed, a knock */
  readonly events: readonly UnnumberedEvent[];
}

/**
 * Which link leads to which device. A newer link takes a device over; the older one is closed only when it carries no
 * other.
 */
export class Sessions {
  readonly #admission: Admission;
  readonly #links = new Map<string, Link>();
  /** ids that were refused of late, so that a device that keeps knocking is reported once a minute */
  readonly #knocked = new Map<string, number>();

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
    if (id === undefined) return { verdict: 'no-id', deviceId: undefined, events: [] };
    const before = this.#links.get(id);
    if (before === link) {
      link.deviceId = id;
      return { verdict: 'known', deviceId: id, events: NOTHING };
    }
    const verdict = this.#admission.check(id);
    if (verdict === 'refused') return { verdict, deviceId: id, events: this.#knock(link, id, now) };
    if (verdict === 'unsure') return { verdict, deviceId: id, events: NOTHING };
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
    return { verdict, deviceId: id, events };
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

  /** Who is on line, for the lease of presence. */
  *open(): Iterable<{ imei: string; link: Link }> {
    for (const [imei, link] of this.#links) yield { imei, link };
  }

  #knock(link: Link, imei: string, now: number): UnnumberedEvent[] {
    const last = this.#knocked.get(imei);
    if (last !== undefined && now - last < 60_000) return [];
    if (this.#knocked.size > 10_000) this.#knocked.clear();
    this.#knocked.set(imei, now);
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
