import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import type { StreamProtocol } from '#codec';
import { Connection, type Peer } from '../connection/connection.ts';
import type { GatewayContext } from '../connection/context.ts';
import { addressOf } from './address.ts';
import { Preamble } from './preamble.ts';
import { certificateIds, DeviceCertificate, type TlsSettings } from './tls.ts';

const WAVE_MS = 500;
const SWEEP_MS = 1_000;
/** Younger connections do not count as unidentified. */
const GRACE_MS = 5_000;
/**
 * A sweep that is later than this is left out: the event loop was blocked, and bytes of devices may not be read yet.
 */
const BEHIND_MS = 500;

/**
 * All TCP device ports of a gateway. With a certificate, a connection that begins with a TLS handshake is
 * served encrypted on the same port.
 */
export class TcpPorts {
  readonly #context: GatewayContext;
  readonly #servers: Server[] = [];
  readonly #connections = new Set<Connection>();
  readonly #tls: DeviceCertificate | undefined;
  /** connections whose preamble has not been read, oldest first, by their plain socket */
  readonly #preambles = new Map<object, Preamble>();
  readonly #sweeper: NodeJS.Timeout;
  #accepting = true;
  #sweptAt: number;

  constructor(context: GatewayContext, tls: TlsSettings | undefined) {
    this.#context = context;
    this.#tls = tls === undefined ? undefined : new DeviceCertificate(tls, context.log);
    context.recorder.onRoom(() => {
      for (const connection of this.#connections) connection.resumeReading();
    });
    this.#sweptAt = context.clock.monotonic();
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  get connections(): number {
    return this.#connections.size + this.#preambles.size;
  }

  /** Opens a port; resolves with its number. Rejects if it cannot be opened. */
  listen(host: string, port: number, protocols: readonly StreamProtocol[]): Promise<number> {
    const tls = this.#createTls(protocols);
    const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, (socket) =>
      this.#accept(socket, protocols, tls),
    );
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, backlog: 4096 }, () => {
        server.off('error', reject);
        server.on('error', (error) => this.#context.log.error({ err: error }, 'device port failed'));
        this.#servers.push(server);
        resolve((server.address() as { port: number }).port);
      });
    });
  }

  stopAccepting(): void {
    this.#accepting = false;
    for (const server of this.#servers) server.close();
  }

  stopReading(): void {
    for (const connection of this.#connections) connection.stopReading();
  }

  /** Ends the connections that are open now, as many per wave as it takes to be done after so many ms. */
  async closeInWaves(reason: string, ms: number, wait: (ms: number) => Promise<void>): Promise<void> {
    const waves = Math.floor(ms / WAVE_MS);
    const connections = [...this.#connections];
    for (let wave = 0; wave < waves; wave++) {
      const began = this.#context.clock.monotonic();
      const [from, to] = [wave, wave + 1].map((n) => Math.ceil((n * connections.length) / waves));
      // each is closed after its last acknowledgement
      for (const connection of connections.slice(from, to)) connection.close(reason);
      await wait(WAVE_MS);
      if (this.#context.clock.monotonic() - began < WAVE_MS / 2) return;
    }
  }

  /** Ends every connection once its last acknowledgement has been written. */
  async closeAll(reason: string, withinMs: number): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#tls?.stop();
    for (const { socket } of this.#preambles.values()) socket.destroy();
    for (const connection of this.#connections) connection.close(reason);
    const until = this.#context.clock.monotonic() + withinMs;
    while (this.#connections.size > 0 && this.#context.clock.monotonic() < until) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    if (this.#connections.size === 0) return;
    for (const connection of this.#connections) connection.destroy();
    // their sockets report the end in the next iteration of the event loop
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  }

  #createTls(protocols: readonly StreamProtocol[]): TlsServer | undefined {
    if (this.#tls === undefined) return undefined;
    const { log, limits } = this.#context;
    const server = createTlsServer(this.#tls.options(limits.handshakeTimeoutMs), (secure) => {
      secure.setNoDelay(true);
      const parent = parentOf(secure);
      const remote = this.#preambles.get(parent)?.remote ?? peerOf(secure);
      this.#preambles.delete(parent);
      this.#serve(secure, { remote, certificate: certificateIds(secure) }, protocols);
    });
    this.#tls.follow(server);
    server.on('tlsClientError', (error, secure) => {
      log.debug({ reason: error.message }, 'TLS handshake failed');
      secure.destroy();
    });
    return server;
  }

  #accept(socket: Socket, protocols: readonly StreamProtocol[], tls: TlsServer | undefined): void {
    const { log, limits, proxyProtocol, clock } = this.#context;
    socket.on('error', ignoreReset);
    if (!this.#accepting || this.connections >= limits.maxConnections) {
      if (this.#accepting) log.warn({ remote: socket.remoteAddress }, 'MAX_CONNECTIONS reached, connection refused');
      socket.destroy();
      return;
    }
    if (tls === undefined && !proxyProtocol) {
      this.#serve(socket, { remote: peerOf(socket), certificate: undefined }, protocols);
      return;
    }
    const settings = {
      proxyProtocol,
      tls,
      isTlsRequired: this.#tls?.settings.required === true,
      handshakeTimeoutMs: limits.handshakeTimeoutMs,
      firstByteTimeoutMs: limits.identifyTimeoutMs,
      now: clock.now,
    };
    const ready = ({ remote }: Preamble, first: Buffer): void => {
      this.#preambles.delete(socket);
      this.#serve(socket, { remote, certificate: undefined }, protocols, first);
    };
    const refuse = (preamble: Preamble, reason: string): void => this.#refuse(preamble, reason);
    this.#preambles.set(socket, new Preamble(socket, peerOf(socket), settings, ready, refuse));
    socket.on('close', () => this.#preambles.delete(socket));
  }

  #refuse({ socket, remote }: Preamble, reason: string): void {
    this.#context.log.info({ remote, reason }, 'connection refused');
    this.#preambles.delete(socket);
    socket.destroy();
  }

  #serve(socket: Socket, peer: Peer, protocols: readonly StreamProtocol[], first?: Buffer): void {
    const connection = new Connection(socket, peer, protocols, this.#context);
    this.#connections.add(connection);
    socket.on('error', ignoreReset);
    const mirror = this.#context.mirror?.tcp();
    const take = (chunk: Buffer): void => {
      connection.onData(chunk);
      mirror?.take(chunk, connection.driver?.protocol.id);
    };
    socket.on('data', take);
    socket.on('close', () => {
      mirror?.end();
      this.#connections.delete(connection);
      connection.onClose();
    });
    if (!this.#context.recorder.hasRoom) connection.pauseReading();
    if (first !== undefined && first.length > 0) take(first);
  }

  #sweep(): void {
    const { clock } = this.#context;
    const passed = clock.monotonic() - this.#sweptAt;
    this.#sweptAt = clock.monotonic();
    if (passed > SWEEP_MS + BEHIND_MS) return;
    const now = clock.now();
    for (const connection of this.#connections) connection.sweep(now);
    for (const preamble of this.#preambles.values()) {
      if (now > preamble.deadline) this.#refuse(preamble, 'preamble or TLS handshake not finished');
    }
    this.#limitUnidentified(now);
  }

  /**
   * Closes the oldest connections without a device above the limit of their address. Those younger than GRACE_MS do not
   * count, since all devices of a fleet may share one address.
   */
  #limitUnidentified(now: number): void {
    const { log, limits } = this.#context;
    const byAddress = new Map<string, (() => void)[]>();
    const add = (remote: string, close: () => void): void => {
      const address = addressOf(remote);
      const list = byAddress.get(address);
      if (list === undefined) byAddress.set(address, [close]);
      else list.push(close);
    };
    for (const preamble of this.#preambles.values()) {
      if (now - preamble.openedAt >= GRACE_MS)
        add(preamble.remote, () => this.#refuse(preamble, 'too many unidentified'));
    }
    for (const connection of this.#connections) {
      if (connection.isIdentified || now - connection.openedAt < GRACE_MS) continue;
      add(connection.remote, () => connection.close('too many unidentified'));
    }
    for (const [address, list] of byAddress) {
      const surplus = list.length - limits.maxUnidentifiedPerAddress;
      if (surplus <= 0) continue;
      log.warn({ address, surplus }, 'MAX_UNIDENTIFIED_PER_ADDRESS reached, oldest closed');
      for (const close of list.slice(0, surplus)) close();
    }
  }
}

/** ECONNRESET is not logged: 'close' follows and reports the end of the connection. */
function ignoreReset(): void {}

/** The plain socket under a TLS one, by which its preamble is found. */
const parentOf = (secure: TLSSocket): object => (secure as TLSSocket & { readonly _parent?: object })._parent ?? secure;

function peerOf({ remoteAddress = '?', remotePort = 0 }: Socket): string {
  return remoteAddress.includes(':') ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`;
}
