import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { Driver, type Position, type StreamProtocol } from '#codec';
import { freePort } from './ports.ts';

export interface Relayed {
  readonly device: string;
  /** number of the connection */
  readonly connection: number;
  readonly position: Position;
}

/** A frame that the receiver has read, and what the protocol would answer. */
export interface RelayFrame {
  readonly bytes: Uint8Array;
  readonly device: string;
  readonly positions: readonly Position[];
  readonly replies: readonly Uint8Array[];
}

/** A server that receives what a stream retransmits, and answers as a protocol of the gateway does. */
export class RelayReceiver {
  readonly received: Relayed[] = [];
  readonly refused = new Set<string>();
  /** what is sent instead of the answers of the protocol */
  answer: (frame: RelayFrame) => readonly Uint8Array[] = ({ replies }) => replies;
  connections = 0;
  readonly port: number;
  readonly #protocol: StreamProtocol<never>;
  readonly #tls: TlsOptions | undefined;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  constructor(protocol: unknown, port: number, tls?: TlsOptions) {
    this.#protocol = protocol as StreamProtocol<never>;
    this.port = port;
    this.#tls = tls;
  }

  static async start(protocol: unknown, tls?: TlsOptions): Promise<RelayReceiver> {
    return new RelayReceiver(protocol, await freePort(), tls).start();
  }

  async start(): Promise<this> {
    const serve = (socket: Socket): void => this.#serve(socket);
    const server = this.#tls === undefined ? createServer(serve) : createTlsServer(this.#tls, serve);
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    return this;
  }

  /** Ends all connections without an answer. */
  async kill(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined));
    this.disconnect();
    await closed;
  }

  disconnect(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  devices(): string[] {
    return this.received.map(({ device }) => device);
  }

  /** times of the fixes of a device, each at its first arrival */
  timesOf(device: string): string[] {
    const times = this.received.flatMap((one) =>
      one.device === device ? [new Date(one.position.fixTime ?? 0).toISOString()] : [],
    );
    return [...new Set(times)];
  }

  #serve(socket: Socket): void {
    const connection = this.connections++;
    const driver = new Driver<never>(this.#protocol, { transport: 'tcp', options: {} });
    let login = '';
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      for (const step of driver.push(new Uint8Array(chunk), 0)) {
        if (step.type !== 'frame') throw new Error(`the receiver cannot read ${Buffer.from(step.type).toString()}`);
        for (const message of step.messages) if (message.type === 'login') login = message.ids[0]!;
        const positions = step.messages.filter((message) => message.type === 'position');
        const isRefused = this.refused.has(login);
        const replies = step.replies.filter(({ when }) => (when === 'refused') === isRefused).map(({ bytes }) => bytes);
        const device = positions[0]?.deviceId ?? login;
        for (const answer of this.answer({ bytes: step.bytes, device, positions, replies })) socket.write(answer);
        if (isRefused) continue;
        for (const position of positions) {
          this.received.push({ device: position.deviceId ?? login, connection, position });
        }
      }
    });
  }
}
