import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP relay that can be partitioned: bytes stop in both directions and new connections get no answer, while nothing is
 * closed, as when a network drops packets.
 */
export class Gate {
  readonly port: number;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #isOpen = true;

  constructor(port: number, target: number) {
    this.port = port;
    this.#target = target;
  }

  async start(): Promise<this> {
    // a connection during a partition is accepted by this process, as a network would not: it stays silent
    this.#server = createServer({ allowHalfOpen: true }, (near) => this.#relay(near));
    await new Promise<void>((resolve) => this.#server!.listen(this.port, '127.0.0.1', resolve));
    return this;
  }

  partition(): void {
    this.#isOpen = false;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Connections that the partition interrupted are reset: the peers of real ones have given them up by then. */
  heal(): void {
    this.#isOpen = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined));
  }

  #relay(near: Socket): void {
    this.#keep(near);
    if (!this.#isOpen) {
      near.pause();
      return;
    }
    const far = connect({ port: this.#target, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.#keep(far);
    near.setNoDelay(true);
    near.pipe(far);
    far.pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
