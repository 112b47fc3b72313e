import type { UnadmittedFrame } from '../contract/events.ts';
import { addressOf } from './address.ts';
import type { Link } from './link.ts';

export interface UnadmittedFrameLimits {
  /** frames in all; 0: none */
  readonly total: number;
  /** newest frames of each IP address */
  readonly perAddress: number;
}

/** Bytes of a frame that are kept. */
const MOST_BYTES = 256;
/** A frame is of no use to the operator after this time. */
const KEPT_MS = 3_600_000;

/**
 * A sample of what connections without an admitted device have sent: the newest frames of each address, in memory.
 * Nobody has vouched for them, so they never reach the spool.
 */
export class UnadmittedFrames {
  readonly #limits: UnadmittedFrameLimits;
  /** the address that sent the last one comes last */
  readonly #byAddress = new Map<string, UnadmittedFrame[]>();
  #count = 0;
  #dropped = 0;
  /** changes with each frame */
  #version = 0;
  #reported = 0;

  constructor(limits: UnadmittedFrameLimits) {
    this.#limits = limits;
  }

  /** Frames that made room for newer ones. */
  get dropped(): number {
    return this.#dropped;
  }

  add(link: Link, bytes: Uint8Array, at: number, reason: UnadmittedFrame['reason'], imei?: string): void {
    this.#version++;
    const { total, perAddress } = this.#limits;
    if (total === 0 || perAddress === 0) {
      this.#dropped++;
      return;
    }
    const { id: conn, protocol, transport, remote } = link;
    const address = addressOf(remote);
    const frames = this.#byAddress.get(address) ?? [];
    const kept = Buffer.from(bytes.subarray(0, MOST_BYTES)).toString('base64');
    const frame = { at, conn, protocol, transport, remote, reason, size: bytes.length, bytes: kept };
    frames.push(imei === undefined ? frame : { ...frame, imei });
    this.#count++;
    this.#byAddress.delete(address);
    this.#byAddress.set(address, frames);
    if (frames.length > perAddress) this.#dropFirst(frames);
    else if (this.#count > total) this.#dropOldest();
  }

  /** Oldest address first. */
  list(now?: number): UnadmittedFrame[] {
    const all = [...this.#byAddress.values()].flat();
    return now === undefined ? all : all.filter(({ at }) => now - at < KEPT_MS);
  }

  /** The frames if any has come since the last call; with `whole` in any case. */
  changes(now: number, whole: boolean): readonly UnadmittedFrame[] | undefined {
    if (!whole && this.#reported === this.#version) return undefined;
    this.#reported = this.#version;
    return this.list(now);
  }

  #dropOldest(): void {
    const [address, frames] = this.#byAddress.entries().next().value!;
    this.#dropFirst(frames);
    if (frames.length === 0) this.#byAddress.delete(address);
  }

  #dropFirst(frames: UnadmittedFrame[]): void {
    frames.shift();
    this.#count--;
    this.#dropped++;
  }
}
