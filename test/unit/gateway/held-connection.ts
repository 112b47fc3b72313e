import type { Socket } from 'node:net';
import type { DriverStep, StreamProtocol } from '#codec';
import { Connection } from '../../../src/gateway/connection/connection.ts';
import type { GatewayContext } from '../../../src/gateway/connection/context.ts';
import { Intake } from '../../../src/gateway/connection/intake.ts';
import type { Link } from '../../../src/gateway/connection/link.ts';
import { Counters } from '../../../src/gateway/counters.ts';
import { EVENT, type OutboundRecord, type Recorder } from '../../../src/gateway/ports.ts';
import { Admission } from '../../../src/gateway/sessions/admission.ts';
import { Sessions } from '../../../src/gateway/sessions/sessions.ts';
import { UnadmittedFrames } from '../../../src/gateway/sessions/unadmitted-frames.ts';
import { createLog } from '../../../src/platform/log.ts';
import { example, wrap } from '../../conformance/example-protocol.ts';

/** A frame of the example protocol. */
export const frame = (...body: number[]): Uint8Array => wrap(Uint8Array.of(...body));
const IMEI = '356307042441013';
export const LOGIN = frame(0x01, 0x03, 0x56, 0x30, 0x70, 0x42, 0x44, 0x10, 0x13);
/** of a device that is not registered */
export const OTHER_LOGIN = frame(0x01, 0x09, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99);
export const HEARTBEAT = frame(0x03);
export const join = (...parts: Uint8Array[]): Uint8Array => Buffer.concat(parts);

/** Records what a connection does with its socket. */
class FakeSocket {
  destroyed = false;
  writable = true;
  writableLength = 0;
  isReading = true;
  hasEnded = false;
  readonly written: Uint8Array[] = [];

  write(bytes: Uint8Array): void {
    this.written.push(bytes);
  }
  pause(): void {
    this.isReading = false;
  }
  resume(): void {
    this.isReading = true;
  }
  end(): void {
    this.hasEnded = true;
  }
  destroy(): void {
    this.destroyed = true;
  }
}

class FakeRecorder implements Recorder {
  hasRoom = true;
  readonly records: OutboundRecord[] = [];
  readonly #held: (() => void)[] = [];

  append(records: readonly OutboundRecord[]): Promise<void> {
    this.records.push(...records);
    return new Promise((resolve) => this.#held.push(resolve));
  }
  onRoom(): void {}
  release(): void {
    for (const resolve of this.#held.splice(0)) resolve();
  }
}

/** Sessions whose look-ups the test answers. */
class HeldSessions extends Sessions {
  answer: (() => void) | undefined;
  isLookUpNeeded = false;

  override lookUp(_link: Link, _steps: readonly DriverStep[], _now: number): Promise<unknown> | undefined {
    if (!this.isLookUpNeeded) return undefined;
    this.isLookUpNeeded = false;
    return new Promise<void>((resolve) => {
      this.answer = resolve;
    });
  }
}

export const LIMITS: GatewayContext['limits'] = {
  maxConnections: 100,
  maxUnidentifiedPerAddress: 50,
  identifyTimeoutMs: 30_000,
  handshakeTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 60_000,
  udpOnlineMs: 60_000,
  maxJunkBytes: 65_536,
  framesPerSlice: 2,
};

/** A connection whose socket, spool, clock and look-ups the test holds. */
export class HeldConnection {
  readonly socket = new FakeSocket();
  readonly recorder = new FakeRecorder();
  readonly sessions: HeldSessions;
  readonly connection: Connection;
  readonly counters = new Counters();
  now = 1_000_000;

  constructor({
    protocols = [example as StreamProtocol],
    hasDeviceList = true,
  }: { protocols?: readonly StreamProtocol[]; hasDeviceList?: boolean } = {}) {
    const log = createLog('test', 'silent');
    const admission = new Admission(false);
    if (hasDeviceList) {
      admission.apply({ type: 'devices', devices: [{ imei: IMEI }] });
      admission.apply({ type: 'devices-end' });
    }
    this.sessions = new HeldSessions(admission);
    const { counters, recorder, sessions } = this;
    const unadmitted = new UnadmittedFrames({ total: 0, perAddress: 0 });
    const context: GatewayContext = {
      clock: { now: () => this.now, monotonic: () => this.now },
      log,
      limits: LIMITS,
      admission,
      sessions,
      intake: new Intake(sessions, recorder, counters.of, log, unadmitted),
      recorder,
      counters,
      proxyProtocol: false,
      mirror: undefined,
      lenientServices: new Set(),
      nextId: () => 'c1',
    };
    const peer = { remote: '127.0.0.1:1', certificate: undefined };
    this.connection = new Connection(this.socket as unknown as Socket, peer, protocols, context);
  }

  receive(...parts: Uint8Array[]): void {
    this.connection.onData(join(...parts));
  }

  /** types of the events that were recorded, in order */
  get events(): readonly string[] {
    return this.recorder.records.flatMap(({ kind, bytes }) =>
      kind === EVENT ? [(JSON.parse(Buffer.from(bytes).toString()) as { type: string }).type] : [],
    );
  }

  sweepAfter(ms: number): void {
    this.now += ms;
    this.connection.sweep(this.now);
  }

  /** Makes all records durable, and lets the connection see it. */
  async makeDurable(): Promise<void> {
    this.recorder.release();
    await nextTurn();
  }

  async answerLookUp(): Promise<void> {
    this.sessions.answer?.();
    await nextTurn();
  }
}

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
