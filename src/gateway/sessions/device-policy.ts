import { createHash, timingSafeEqual } from 'node:crypto';
import type { Link } from '../connection/link.ts';
import { addressOf } from '../net/address.ts';
import { isInNetworks, networkOf } from '../net/networks.ts';
import type { Device } from './admission.ts';

export type Takeover = 'newest' | 'oldest' | 'same-network';

/** Settings of the installation; options of a device and of its tenant take precedence. */
export interface DevicePolicySettings {
  /** networks that devices may come from, comma-separated; empty: all */
  readonly networks: string;
  readonly takeover: Takeover;
  /** time without received bytes after which a session no longer holds off another connection */
  readonly takeoverSilenceMs: number;
  /** a device keeps the service of its first session */
  readonly pinProtocol: boolean;
}

/** Why a device that is registered is not admitted. */
export type Refusal = 'network' | 'protocol' | 'certificate' | 'password' | 'takeover';

/** A session that another connection wants to replace. */
export type OlderSession = Pick<Link, 'transport' | 'remote' | 'lastByteAt'>;

export const OPEN_POLICY: DevicePolicySettings = {
  networks: '',
  takeover: 'newest',
  takeoverSilenceMs: 300_000,
  pinProtocol: false,
};

/** Checks that a connection must pass, besides the device id, to be admitted as a device. */
export class DevicePolicy {
  readonly #settings: DevicePolicySettings;
  readonly #serviceOf: (protocol: string) => string | undefined;

  constructor(settings: DevicePolicySettings, serviceOf: (protocol: string) => string | undefined) {
    this.#settings = settings;
    this.#serviceOf = serviceOf;
  }

  /** Why the device may not log in on the link; undefined if it may. */
  refusal(link: Link, ids: readonly string[], device: Device, password: string | undefined): Refusal | undefined {
    const { options } = device;
    const { certificate } = link;
    if (
      certificate === undefined ? options['requireCertificate'] === true : !ids.some((id) => certificate.includes(id))
    )
      return 'certificate';
    const networks = this.#networksOf(device);
    if (networks !== '' && !isInNetworks(addressOf(link.remote), networks)) return 'network';
    if (!this.#isPinned(link, device)) return 'protocol';
    const expected = options['loginPassword'];
    return typeof expected === 'string' && expected !== '' && !isEqual(expected, password ?? '')
      ? 'password'
      : undefined;
  }

  /** The device comes from a network that is named for it. */
  isFromOwnNetwork(link: Link, device: Device): boolean {
    const networks = this.#networksOf(device);
    return networks !== '' && isInNetworks(addressOf(link.remote), networks);
  }

  /** An open session of the device may hold off another connection. */
  isTakeoverRestricted(device: Device): boolean {
    const takeover = this.#takeoverOf(device);
    return takeover === 'oldest' || takeover === 'same-network';
  }

  mayTakeOver(older: OlderSession, newer: Link, device: Device, now: number): boolean {
    if (!this.isTakeoverRestricted(device)) return true;
    // a datagram may be forged, so it does not block a TCP connection
    if (older.transport === 'udp' && newer.transport !== 'udp') return true;
    if (now - older.lastByteAt > this.#settings.takeoverSilenceMs) return true;
    return (
      this.#takeoverOf(device) === 'same-network' &&
      networkOf(addressOf(older.remote)) === networkOf(addressOf(newer.remote))
    );
  }

  #takeoverOf({ options }: Device): unknown {
    return options['takeover'] ?? this.#settings.takeover;
  }

  #networksOf({ options }: Device): string {
    const own = options['networks'];
    return typeof own === 'string' ? own : this.#settings.networks;
  }

  #isPinned(link: Link, { options, protocol }: Device): boolean {
    if (protocol === undefined || !(options['pinProtocol'] ?? this.#settings.pinProtocol)) return true;
    if (protocol === link.protocol) return true;
    const service = this.#serviceOf(protocol);
    return service !== undefined && service === this.#serviceOf(link.protocol);
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isEqual = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
