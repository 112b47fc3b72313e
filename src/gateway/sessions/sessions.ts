import type { DriverStep } from '#codec';
import type { SessionTakenOver, UnnumberedEvent } from '../../contract/events.ts';
import { addDevice, devicesOf, type Link, removeDevice } from '../connection/link.ts';
import type { Admission, AdmissionResult } from './admission.ts';
import { DevicePolicy, type OlderSession, OPEN_POLICY, type Refusal } from './device-policy.ts';
import { RejectedLogins } from './rejected-logins.ts';
import type { RemoteSessions } from './remote-sessions.ts';

export interface Login {
  readonly admission: AdmissionResult | 'no-id';
  readonly deviceId: string | undefined;
  /** events to report: sessions opened and closed, a rejected login */
  readonly events: readonly UnnumberedEvent[];
  /** the client has tried too many ids and gets no reply */
  readonly isLimited?: true;
}

/** Rejected logins that are reported per minute, over all devices. */
const MAX_REPORTS = 10_000;
const REPORT_MS = 60_000;
/**
 * Sessions beyond the number of registered devices: a connection may name any number of devices, which registration by
 * their first message admits. Twice the default of MAX_CONNECTIONS.
 */
const MAX_UNREGISTERED_SESSIONS = 200_000;

/**
 * Maps devices to links. A newer link takes over a device; the older link is closed if it carries no other device.
 */
export class Sessions {
  readonly #admission: Admission;
  readonly #links = new Map<string, Link>();
  /** last report of each rejected id: a device that keeps trying is reported once a minute */
  readonly #lastRejection = new Map<string, number>();
  readonly #policy: DevicePolicy;
  readonly #rejected: RejectedLogins;
  readonly #onLimited: (link: Link) => void;
  readonly #remote: RemoteSessions | undefined;
  readonly #maxUnregistered: number;

  constructor(
    admission: Admission,
    policy = new DevicePolicy(OPEN_POLICY, () => undefined),
    rejected = new RejectedLogins(0),
    onLimited: (link: Link) => void = () => {},
    remote?: RemoteSessions,
    maxUnregistered = MAX_UNREGISTERED_SESSIONS,
  ) {
    this.#admission = admission;
    this.#policy = policy;
    this.#rejected = rejected;
    this.#onLimited = onLimited;
    this.#remote = remote;
    this.#maxUnregistered = maxUnregistered;
  }

  get size(): number {
    return this.#links.size;
  }

  linkOf(deviceId: string): Link | undefined {
    return this.#links.get(deviceId);
  }

  /** Linear search over all links; rarely called. */
  linkById(id: string): Link | undefined {
    for (const link of this.#links.values()) if (link.id === id) return link;
    return undefined;
  }

  /**
   * Looks up the sessions on other gateways that `login` needs for these steps; undefined if none is needed.
   */
  lookUp(link: Link, steps: readonly DriverStep[], now: number): Promise<unknown> | undefined {
    const remote = this.#remote;
    if (remote === undefined) return undefined;
    let lookUps: Promise<void>[] | undefined;
    for (const step of steps) {
      if (step.type !== 'frame') continue;
      for (const message of step.messages) {
        const isLogin = message.type === 'login';
        if (!isLogin && message.deviceId === undefined) continue;
        const ids = isLogin ? message.ids : ([message.deviceId!] as const);
        const imei = this.#toLookUp(link, ids, isLogin ? message.password : undefined, now);
        if (imei === undefined || remote.isKnown(imei, now)) continue;
        const { id: conn, protocol, transport, remote: address } = link;
        lookUps ??= [];
        lookUps.push(remote.lookUp({ imei, conn, protocol, transport, remote: address }));
      }
    }
    return lookUps && Promise.all(lookUps);
  }

  /**
   * The device whose session on another gateway must be known before `login`, because it may keep this link out.
   * Undefined if it has a session here, would not be admitted, or any session of it may be taken over.
   */
  #toLookUp(
    link: Link,
    ids: readonly [string, ...string[]],
    password: string | undefined,
    now: number,
  ): string | undefined {
    const id = this.#admission.canonical(ids);
    if (id === undefined || this.#links.has(id) || this.#admission.check(id) !== 'known') return undefined;
    const device = this.#admission.device(id);
    if (link.transport !== 'udp' && !this.#policy.isTakeoverRestricted(device)) return undefined;
    if (this.#rejected.isLimited(link, now) && !this.#policy.isFromOwnNetwork(link, device)) return undefined;
    return this.#policy.refusal(link, [id, ...ids], device, password) === undefined ? id : undefined;
  }

  /** Logs in a device on a link. */
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
    const isFull = this.#links.size >= this.#admission.size + this.#maxUnregistered;
    if (admission === 'unsure' || (admission === 'open' && before === undefined && isFull)) {
      return { admission: 'unsure', deviceId: id, events: NOTHING };
    }
    const refusal = this.#policy.refusal(link, [id, ...ids], device, password);
    if (refusal !== undefined) return this.#reject(link, id, now, refusal);
    const older = before ?? this.#remoteSession(id, now);
    if (older !== undefined && link.transport === 'udp' && older.transport !== 'udp') {
      // the sender of a datagram may be forged: the session and its commands stay with the older link
      addDevice(link, id);
      return { admission, deviceId: id, events: NOTHING };
    }
    if (older !== undefined && !this.#policy.mayTakeOver(older, link, device, now)) {
      return this.#reject(link, id, now, 'takeover');
    }
    this.#remote?.forget(id);
    const events: UnnumberedEvent[] = [];
    if (before !== undefined) {
      events.push(takenOver(before, { ...linkOf(link), conn: link.id }, id, now));
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

  #remoteSession(id: string, now: number): OlderSession | undefined {
    const session = this.#remote?.get(id, now);
    return session && { ...session, lastByteAt: now - session.silentMs };
  }

  /** Ends the session of a device that has connected to another gateway; returns the events to report. */
  takenOver({ imei, conn, by }: SessionTakenOver, now: number): UnnumberedEvent[] {
    const link = this.#links.get(imei);
    // a datagram never ends the session of a connection
    if (link?.id !== conn || (by.transport === 'udp' && link.transport !== 'udp')) return [];
    this.#links.delete(imei);
    if (!removeDevice(link, imei)) link.close('taken over');
    return [takenOver(link, by, imei, now), closed(link, imei, 'taken over', now)];
  }

  /** Ends the sessions of devices that were removed or blocked; returns the events to report. */
  refuse(imeis: readonly string[], now: number): UnnumberedEvent[] {
    return imeis.flatMap((imei) => {
      const link = this.#links.get(imei);
      if (link === undefined) return [];
      this.#links.delete(imei);
      if (!removeDevice(link, imei)) link.close('removed or blocked');
      return [closed(link, imei, 'removed or blocked', now)];
    });
  }

  /** Ends the sessions of a closed link; returns the events to report. */
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
    // the map is in the order of the reports
    this.#lastRejection.delete(imei);
    for (const [id, at] of this.#lastRejection) {
      if (now - at < REPORT_MS) break;
      this.#lastRejection.delete(id);
    }
    if (this.#lastRejection.size >= MAX_REPORTS) return [];
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

const linkOf = ({ protocol, transport, remote }: Link) => ({ protocol, transport, remote });

const takenOver = (before: Link, by: SessionTakenOver['by'], imei: string, at: number): UnnumberedEvent => ({
  type: 'session-taken-over',
  at,
  imei,
  ...by,
  previous: { conn: before.id, ...linkOf(before) },
});
