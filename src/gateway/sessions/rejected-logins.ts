import type { Link } from '../connection/link.ts';
import { addressOf } from '../net/address.ts';
import { clientOf } from '../net/networks.ts';

const WINDOW_MS = 3_600_000;
/** maximum number of clients; the oldest are dropped */
const MAX_CLIENTS = 5_000;

interface Attempts {
  readonly since: number;
  readonly ids: Set<string>;
}

/**
 * Counts the different rejected device ids of a client, to prevent enumeration of device ids. A device that keeps
 * trying counts once. Datagrams count separately: their sender may be forged.
 */
export class RejectedLogins {
  readonly #most: number;
  readonly #clients = new Map<string, Attempts>();

  /** @param most - different ids of one client and hour; 0: no limit */
  constructor(most: number) {
    this.#most = most;
  }

  /** True when the client has just reached the limit. */
  add(link: Link, id: string, now: number): boolean {
    if (this.#most === 0) return false;
    const key = keyOf(link);
    let attempts = this.#clients.get(key);
    if (attempts === undefined || now - attempts.since > WINDOW_MS) {
      this.#clients.delete(key);
      attempts = { since: now, ids: new Set() };
      this.#clients.set(key, attempts);
      if (this.#clients.size > MAX_CLIENTS) this.#clients.delete(this.#clients.keys().next().value!);
    }
    const before = attempts.ids.size;
    if (before < this.#most) attempts.ids.add(id);
    return before < this.#most && attempts.ids.size === this.#most;
  }

  isLimited(link: Link, now: number): boolean {
    if (this.#clients.size === 0) return false;
    const attempts = this.#clients.get(keyOf(link));
    return attempts !== undefined && attempts.ids.size >= this.#most && now - attempts.since <= WINDOW_MS;
  }
}

const keyOf = ({ transport, remote }: Link): string =>
  `${transport === 'udp' ? 'udp' : 'tcp'} ${clientOf(addressOf(remote))}`;
