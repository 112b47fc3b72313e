import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { type Driver, type DriverStep, type StreamProtocol, toHex } from '#codec';
import { type GatewayContext, newDriver } from '../connection/context.ts';
import { identify } from '../connection/identify.ts';
import type { Link } from '../connection/link.ts';
import type { MirrorLink } from '../connection/mirror.ts';

const SWEEP_MS = 1_000;

/** A device at a UDP address, until it has been silent for `udpOnlineMs`. */
class Peer implements Link {
  readonly id: string;
  readonly transport = 'udp';
  readonly remote: string;
  readonly openedAt: number;
  readonly driver: Driver<unknown>;
  lastByteAt: number;
  deviceId: string | undefined;
  devices: Set<string> | undefined;
  closeReason: string | undefined;
  readonly mirror: MirrorLink | undefined;
  readonly #send: (bytes: Uint8Array, onTaken?: () => void) => void;

  constructor(
    id: string,
    remote: string,
    driver: Driver<unknown>,
    now: number,
    send: (bytes: Uint8Array, onTaken?: () => void) => void,
    mirror: MirrorLink | undefined,
  ) {
    this.mirror = mirror;
    this.id = id;
    this.remote = remote;
    this.driver = driver;
    this.openedAt = now;
    this.lastByteAt = now;
    this.#send = send;
  }

  get protocol(): string {
    return this.driver.protocol.id;
  }

  write(bytes: Uint8Array, onTaken?: () => void): void {
    this.#send(bytes, onTaken);
  }

  deliver(bytes: Uint8Array, onTaken?: () => void): void {
    this.write(bytes, onTaken);
  }

  close(reason: string): void {
    this.closeReason ??= reason;
  }
}

/** All UDP device ports of a gateway. */
export class UdpPorts {
  readonly #context: GatewayContext;
  readonly #sockets: Socket[] = [];
  readonly #peers = new Map<string, Peer>();
  readonly #sweeper: NodeJS.Timeout;
  #reading = true;

  constructor(context: GatewayContext) {
    this.#context = context;
    this.#sweeper = setInterval(() => this.#sweep(context.clock.now()), SWEEP_MS);
    this.#sweeper.unref();
  }

  get peers(): number {
    return this.#peers.size;
  }

  listen(host: string, port: number, protocols: readonly StreamProtocol[]): Promise<number> {
    const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: 4 * 1024 * 1024 });
    socket.on('message', (bytes, from) => this.#take(socket, protocols, bytes, from));
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ address: host, port, exclusive: true }, () => {
        socket.off('error', reject);
        socket.on('error', (error) => this.#context.log.error({ err: error }, 'UDP device port failed'));
        this.#sockets.push(socket);
        resolve(socket.address().port);
      });
    });
  }

  /** A datagram that is not read is not acknowledged, and the device sends it again. */
  stopReading(): void {
    this.#reading = false;
    clearInterval(this.#sweeper);
  }

  close(): void {
    for (const peer of this.#peers.values()) this.#end(peer, 'gateway stops');
    this.#peers.clear();
    for (const socket of this.#sockets.splice(0)) socket.close();
  }

  #take(socket: Socket, protocols: readonly StreamProtocol[], bytes: Buffer, from: RemoteInfo): void {
    if (!this.#reading || !this.#context.recorder.hasRoom || bytes.length === 0) return;
    const now = this.#context.clock.now();
    const remote = from.family === 'IPv6' ? `[${from.address}]:${from.port}` : `${from.address}:${from.port}`;
    const key = `${socket.address().port}/${remote}`;
    const peer = this.#peers.get(key) ?? this.#meet(socket, protocols, bytes, from, remote, now);
    if (peer === undefined) return;
    this.#peers.set(key, peer);
    peer.lastByteAt = now;
    const steps = peer.driver.push(bytes, now);
    peer.mirror?.take(bytes, peer.protocol);
    const known = this.#context.sessions.lookUp(peer, steps, now);
    if (known === undefined) this.#handle(key, peer, steps, now);
    else void known.then(() => this.#handle(key, peer, steps, this.#context.clock.now()));
  }

  #handle(key: string, peer: Peer, steps: readonly DriverStep[], now: number): void {
    // the peer has ended during the look-up
    if (!this.#reading || this.#peers.get(key) !== peer) return;
    const { end } = this.#context.intake.take(peer, steps, now);
    if (end !== undefined || peer.closeReason !== undefined || peer.deviceId === undefined) {
      // without a device there is no session: the next datagram starts a new peer
      this.#peers.delete(key);
      this.#end(peer, end ?? peer.closeReason ?? 'no device id');
    }
  }

  #meet(
    socket: Socket,
    protocols: readonly StreamProtocol[],
    bytes: Buffer,
    from: RemoteInfo,
    remote: string,
    now: number,
  ): Peer | undefined {
    const { log, limits, counters, intake } = this.#context;
    if (this.#peers.size >= limits.maxConnections) {
      log.warn({ remote }, 'MAX_CONNECTIONS reached, datagram dropped');
      return undefined;
    }
    const guess =
      protocols.length === 1
        ? { type: 'decided' as const, protocol: protocols[0]! }
        : identify(bytes, 'udp', protocols, now, true);
    if (guess.type !== 'decided') {
      log.debug({ remote, first: toHex(bytes.subarray(0, 64)) }, 'datagram fits no single protocol');
      const id = this.#context.nextId();
      intake.unidentified({ id, protocol: 'unknown', transport: 'udp', remote }, bytes, now);
      return undefined;
    }
    const driver = newDriver(guess.protocol, this.#context, 'udp');
    counters.of(guess.protocol.id).connections++;
    const send = (reply: Uint8Array, onTaken?: () => void): void => {
      socket.send(reply, from.port, from.address, (error) => {
        if (!error) onTaken?.();
      });
    };
    return new Peer(this.#context.nextId(), remote, driver, now, send, this.#context.mirror?.udp());
  }

  #end(peer: Peer, reason: string): void {
    const { counters, intake, sessions, clock } = this.#context;
    peer.mirror?.end();
    counters.of(peer.protocol).connections--;
    intake.report(sessions.end(peer, reason, clock.now()));
  }

  #sweep(now: number): void {
    for (const [key, peer] of this.#peers) {
      if (now - peer.lastByteAt <= this.#context.limits.udpOnlineMs) continue;
      this.#peers.delete(key);
      this.#end(peer, 'silent');
    }
  }
}
