import type { UnnumberedEvent } from '../contract/events.ts';
import type { Admission, AdmissionResult } from './admission.ts';
import { DevicePolicy, OPEN_POLICY, type Refusal } from './device-policy.ts';
import { addDevice, devicesOf, type Link, removeDevice } from './link.ts';
import { RejectedLogins } from './rejected-logins.ts';

export interface Login {
  readonly admission: AdmissionResult | 'no-id';
  readonly deviceId: string | undefined;
  /** what to report: sessions opened and closed, a rejected login */
  readonly events: readonly UnnumberedEvent[];
  /** the client has tried too many ids: it gets no answer, whatever the id */
  readonly isLimited?: true;
}

/** Rejected logins that are reported in a minute, over all devices. */
const MOST_REPORTS = 10_000;
const REPORT_MS = 60_000;

/**
 * Which link leads to which device. A newer link takes a device over; the older one is closed only when it carries no
 * other.
 */
export class Sessions {
  readonly #admission: Admission;
  readonly #links = new Map<string, Link>();
  /** last report of each rejected id: a device that keeps trying is reported once a minute */
  readonly #lastRejection = new Map<string, number>();
  readonly #policy: DevicePolicy;
  readonly #rejected: RejectedLogins;
  readonly #onLimited: (link: Link) => void;

  constructor(
    admission: Admission,
    policy = new DevicePolicy(OPEN_POLICY, () => undefined),
    rejected = new RejectedLogins(0),
    onLimited: (link: Link) => void = () => {},
  ) {
    this.#admission = admission;
    this.#policy = policy;
    this.#rejected = rejected;
    this.#onLimited = onLimited;
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
  login(link: Link, ids: readonly [string, ...string[]], now: number, password?: string): Login {
    const id = this.#admission.canonical(ids);
    if (id === undefined) return { admission: 'no-id', deviceId: undefined, events: [] };
    const before = this.#links.get(id);
    if (before === link) {
      link.deviceId = id;
      return { admission: 'known', deviceId: id, events: NOTHING };
    }
    const device = this.#admission.device(id);
    if (this.#rejected.isLimited(link, now) && !this.#policy.isFromOwnNetwork(link, device)) {
      return { admission: 'refused', deviceId: id, events: NOTHING, isLimited: true };
    }
    const admission = this.#admission.check(id);
    if (admission === 'refused') return this.#reject(link, id, now);
    if (admission === 'unsure') return { admission, deviceId: id, events: NOTHING };
    const refusal = this.#policy.refusal(link, [id, ...ids], device, password);
    if (refusal !== undefined) return this.#reject(link, id, now, refusal);
    if (before !== undefined && link.transport === 'udp' && before.transport !== 'udp') {
      // The sender of a datagram may be forged: the session and its commands stay where they are.
      addDevice(link, id);
      return { admission, deviceId: id, events: NOTHING };
    }
    if (before !== undefined && !this.#policy.mayTakeOver(before, link, device, now)) {
      return this.#reject(link, id, now, 'takeover');
    }
    const events: UnnumberedEvent[] = [];
    if (before !== undefined) {
      events.push(takenOver(before, link, id, now));
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

  #reject(link: Link, imei: string, now: number, reason?: Refusal): Login {
    if (this.#rejected.add(link, imei, now)) this.#onLimited(link);
    return { admission: 'refused', deviceId: imei, events: this.#reportRejection(link, imei, now, reason) };
  }

  #reportRejection(link: Link, imei: string, now: number, reason: Refusal | undefined): UnnumberedEvent[] {
    const last = this.#lastRejection.get(imei);
    if (last !== undefined && now - last < REPORT_MS) return [];
    // Oldest first: a new report goes to the end.
    this.#lastRejection.delete(imei);
    for (const [id, at] of this.#lastRejection) {
      if (now - at < REPORT_MS) break;
      this.#lastRejection.delete(id);
    }
    if (this.#lastRejection.size >= MOST_REPORTS) return [];
    this.#lastRejection.set(imei, now);
    const { id: conn, protocol, transport, remote } = link;
    return reason === undefined
      ? [{ type: 'knock', at: now, imei, protocol, remote }]
      : [{ type: 'login-refused', at: now, imei, conn, protocol, transport, remote, reason }];
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

const takenOver = (before: Link, link: Link, imei: string, at: number): UnnumberedEvent => ({
  type: 'session-taken-over',
  at,
  imei,
  conn: link.id,
  protocol: link.protocol,
  transport: link.transport,
  remote: link.remote,
  previous: { conn: before.id, protocol: before.protocol, transport: before.transport, remote: before.remote },
});
