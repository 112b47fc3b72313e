import type { UnadmittedFrame } from '../../contract/events.ts';
import type { Link } from '../connection/link.ts';
import { addressOf } from '../net/address.ts';

/** The sender of a frame. */
export type Sender = Pick<Link, 'id' | 'protocol' | 'transport' | 'remote'>;

export interface UnadmittedFrameLimits {
  /** frames in all; 0: none */
  readonly total: number;
  /** newest frames of each IP address */
  readonly perAddress: number;
}

/** Bytes of a frame that are kept. */
const MAX_BYTES = 256;
/** Frames are dropped after this time. */
const KEPT_MS = 3_600_000;

/**
 * A sample of frames from connections without an admitted device: the newest of each address, in memory. The sender
 * is not authenticated, so they are never written to the spool.
 */
export class UnadmittedFrames {
  readonly #limits: UnadmittedFrameLimits;
  /** in the order of the last frame of each address */
  readonly #byAddress = new Map<string, UnadmittedFrame[]>();
  #count = 0;
  #dropped = 0;
  /** changes with each frame */
  #version = 0;
  #reported = 0;

  constructor(limits: UnadmittedFrameLimits) {
    this.#limits = limits;
  }

  /** Number of frames that were dropped for newer ones. */
  get dropped(): number {
    return this.#dropped;
  }

  add(from: Sender, bytes: Uint8Array, at: number, reason: UnadmittedFrame['reason'], imei?: string): void {
    this.#version++;
    const { total, perAddress } = this.#limits;
    if (total === 0 || perAddress === 0) {
      this.#dropped++;
      return;
    }
    const { id: conn, protocol, transport, remote } = from;
    const address = addressOf(remote);
    const frames = this.#byAddress.get(address) ?? [];
    const kept = Buffer.from(bytes.subarray(0, MAX_BYTES)).toString('base64');
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

  /** The frames if one has been added since the last call, or if `whole`. */
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
