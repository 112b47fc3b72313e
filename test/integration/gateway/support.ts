import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { StreamProtocol } from '#codec';
import {
  Gateway,
  type GatewaySettings,
  type OutboundRecord,
  PACKED,
  type Recorder,
} from '../../../src/gateway/index.ts';
import { asText } from '../../../src/gateway/spool/record.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { example } from '../../conformance/example-protocol.ts';

export const IMEI = '356307042441013';
export const bothWays: StreamProtocol = { ...example, transports: ['tcp', 'udp'] } as StreamProtocol;

/** A recorder whose safety the test decides. */
export class HeldRecorder implements Recorder {
  hasRoom = true;
  readonly records: OutboundRecord[] = [];
  readonly #events = new EventEmitter();
  readonly #held: { resolve(): void; reject(error: Error): void }[] = [];
  /** resolve appends at once */
  isOpen = true;
  #onRoom: () => void = () => {};

  append(records: readonly OutboundRecord[]): Promise<void> {
    this.records.push(...records);
    const promise = this.isOpen
      ? Promise.resolve()
      : new Promise<void>((resolve, reject) => this.#held.push({ resolve, reject }));
    this.#events.emit('append');
    return promise;
  }

  onRoom(listener: () => void): void {
    this.#onRoom = listener;
  }

  giveRoom(): void {
    this.hasRoom = true;
    this.#onRoom();
  }

  release(): void {
    for (const { resolve } of this.#held.splice(0)) resolve();
  }

  fail(error: Error): void {
    for (const { reject } of this.#held.splice(0)) reject(error);
  }

  /** What was recorded of devices, events parsed; waits until `done` is content. */
  async until(done: (list: Record<string, unknown>[]) => boolean): Promise<Record<string, unknown>[]> {
    while (!done(this.list())) await once(this.#events, 'append');
    return this.list();
  }

  list(): Record<string, unknown>[] {
    const all = this.records.map(({ kind, bytes }) => ({
      kind: kind === PACKED ? 'position' : 'event',
      ...JSON.parse(asText(kind, Buffer.from(bytes)).bytes.toString()),
    }));
    // what every gateway reports of itself
    return all.filter(({ type }) => type !== 'gateway-started' && type !== 'clock');
  }
}

export const count = (list: readonly Record<string, unknown>[], type: string): number =>
  list.filter((r) => r['type'] === type || r['kind'] === type).length;

export const LIMITS: GatewaySettings['limits'] = {
  maxConnections: 100,
  maxUnidentifiedPerAddress: 50,
  identifyTimeoutMs: 30_000,
  handshakeTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 60_000,
  udpOnlineMs: 60_000,
  maxJunkBytes: 65_536,
  framesPerSlice: 256,
};

export interface Running {
  readonly gateway: Gateway;
  readonly recorder: HeldRecorder;
  readonly port: number;
}

export async function startGateway(
  settings: Partial<GatewaySettings> & { protocols?: readonly StreamProtocol[] } = {},
): Promise<Running> {
  const recorder = new HeldRecorder();
  const { protocols = [bothWays], ...rest } = settings;
  const gateway = new Gateway(
    {
      host: '127.0.0.1',
      ports: [{ name: 'auto', port: 0, protocols, isRequired: true }],
      limits: LIMITS,
      autoRegister: true,
      proxyProtocol: false,
      ...rest,
    },
    recorder,
    systemClock,
    createLog('test', 'silent'),
  );
  await gateway.open();
  return { gateway, recorder, port: gateway.openPorts[0]!.port };
}

/** A TCP client that is read by the byte. */
export class Client {
  readonly socket: Socket;
  received = Buffer.alloc(0);
  readonly closed: Promise<void>;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.received = Buffer.concat([this.received, chunk]);
      socket.emit('received');
    });
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  static async open(port: number): Promise<Client> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Client(socket);
  }

  send(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  /** The next so many bytes that the server sent, in hex. */
  async take(bytes: number): Promise<string> {
    while (this.received.length < bytes) await once(this.socket, 'received');
    const hex = this.received.subarray(0, bytes).toString('hex');
    this.received = this.received.subarray(bytes);
    return hex;
  }
}
