import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createConnection, type Socket } from 'node:net';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

export interface MirrorSettings {
  readonly host: string;
  /** the default port of the protocol, if it is absent */
  readonly port: number | undefined;
  /** send buffer per device */
  readonly bufferBytes: number;
}

/** Receives a copy of the bytes of a device. Never throws, never blocks. */
export interface MirrorLink {
  /** `protocol` while it is known */
  take(bytes: Uint8Array, protocol: string | undefined): void;
  end(): void;
}

const WARN_MS = 60_000;
/** how long the other server may keep a connection open after its device has gone */
const LINGER_MS = 10_000;

/**
 * Forwards the bytes of each device to another server over a separate connection and ignores its replies. If the
 * server is unreachable or slow, mirroring of that connection stops, since a byte stream with a gap is useless.
 */
export class Mirror {
  readonly #settings: MirrorSettings;
  readonly #portOf: (protocol: string) => number | undefined;
  readonly #clock: Clock;
  readonly #log: Log;
  #warnedAt = Number.NEGATIVE_INFINITY;
  /** number of connections whose mirroring stopped early */
  lost = 0;

  constructor(settings: MirrorSettings, portOf: (protocol: string) => number | undefined, clock: Clock, log: Log) {
    this.#settings = settings;
    this.#portOf = portOf;
    this.#clock = clock;
    this.#log = log;
  }

  tcp(): MirrorLink {
    return new TcpLink(this.#settings, this.#target, this.#giveUp);
  }

  udp(): MirrorLink {
    return new UdpLink(this.#settings, this.#target, this.#giveUp);
  }

  readonly #target = (protocol: string | undefined): number | undefined =>
    this.#settings.port ?? (protocol === undefined ? undefined : this.#portOf(protocol));

  readonly #giveUp = (reason: string): void => {
    this.lost++;
    const now = this.#clock.monotonic();
    if (now - this.#warnedAt < WARN_MS) return;
    this.#warnedAt = now;
    this.#log.warn({ reason, lost: this.lost }, 'MIRROR_TO: bytes of devices do not reach the other server');
  };
}

type Target = (protocol: string | undefined) => number | undefined;

class TcpLink implements MirrorLink {
  readonly #settings: MirrorSettings;
  readonly #target: Target;
  readonly #giveUp: (reason: string) => void;
  #socket: Socket | undefined;
  /** bytes received before the port is known */
  #early: Uint8Array[] = [];
  #waiting = 0;
  #hasEnded = false;

  constructor(settings: MirrorSettings, target: Target, giveUp: (reason: string) => void) {
    this.#settings = settings;
    this.#target = target;
    this.#giveUp = giveUp;
  }

  take(bytes: Uint8Array, protocol: string | undefined): void {
    if (this.#hasEnded) return;
    if (this.#socket === undefined) {
      // copied, because the caller reuses the buffer
      this.#early.push(Uint8Array.from(bytes));
      this.#waiting += bytes.length;
      const port = this.#target(protocol);
      if (port !== undefined) this.#open(port);
    } else {
      this.#socket.write(Uint8Array.from(bytes));
    }
    if (this.#waiting + (this.#socket?.writableLength ?? 0) > this.#settings.bufferBytes) this.#lose('buffer is full');
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#socket?.setTimeout(LINGER_MS, () => this.#socket?.destroy());
    this.#socket?.end();
  }

  #open(port: number): void {
    const socket = createConnection({ host: this.#settings.host, port, noDelay: true });
    socket.on('error', (error) => this.#lose(error.message));
    socket.on('close', () => this.#lose('closed by the other server'));
    // replies are discarded
    socket.resume();
    socket.unref();
    for (const bytes of this.#early) socket.write(bytes);
    this.#early = [];
    this.#waiting = 0;
    this.#socket = socket;
  }

  #lose(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#early = [];
    this.#socket?.destroy();
    this.#giveUp(reason);
  }
}

/** A socket for each device, so that the other server distinguishes devices by their address. */
class UdpLink implements MirrorLink {
  readonly #settings: MirrorSettings;
  readonly #target: Target;
  readonly #giveUp: (reason: string) => void;
  #socket: UdpSocket | undefined;
  #waiting = 0;

  constructor(settings: MirrorSettings, target: Target, giveUp: (reason: string) => void) {
    this.#settings = settings;
    this.#target = target;
    this.#giveUp = giveUp;
  }

  take(bytes: Uint8Array, protocol: string | undefined): void {
    const port = this.#target(protocol);
    if (port === undefined) return;
    if (this.#waiting + bytes.length > this.#settings.bufferBytes) {
      this.#giveUp('buffer is full');
      return;
    }
    this.#socket ??= this.#open();
    this.#waiting += bytes.length;
    const socket = this.#socket;
    socket.send(Uint8Array.from(bytes), port, this.#settings.host, (error) => {
      this.#waiting -= bytes.length;
      if (error !== null) this.#giveUp(error.message);
      if (this.#waiting === 0 && this.#socket !== socket) socket.close();
    });
  }

  end(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    if (this.#waiting === 0) socket?.close();
  }

  #open(): UdpSocket {
    const socket = createSocket({ type: 'udp4' });
    socket.on('error', (error) => this.#giveUp(error.message));
    socket.unref();
    return socket;
  }
}
