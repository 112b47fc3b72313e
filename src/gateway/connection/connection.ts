import type { Socket } from 'node:net';
import { type Driver, type DriverStep, type StreamProtocol, toHex } from '#codec';
import { canCarryCommand, refuseUnknown } from '#codec/http';
import { BackPressure } from './back-pressure.ts';
import { type GatewayContext, newDriver } from './context.ts';
import { identify } from './identify.ts';
import type { Link } from './link.ts';
import { type ConnectionEvent, type ConnectionState, type SocketUse, table } from './states.ts';

/** The connection is closed if more bytes than this wait to be sent. */
const MAX_UNSENT_BYTES = 1024 * 1024;
/** First bytes, inspected to identify the protocol. */
const MAX_IDENTIFY_BYTES = 4096;
/** Commands queued on a connection; further ones are delivered on its next connection. */
const MAX_COMMANDS = 100;
/** How long a connection whose login is not decided waits before it is closed. */
const MAX_DEVICE_LIST_WAIT_MS = 10_000;
/** How long a closed connection waits for its last acknowledgement and for the FIN of the device. */
const MAX_CLOSING_MS = 5_000;

/** The remote end of a connection. */
export interface Peer {
  /** address:port */
  readonly remote: string;
  /** device ids in the subject of a verified certificate */
  readonly certificate: readonly string[] | undefined;
}

interface Command {
  readonly bytes: Uint8Array;
  readonly onTaken: (() => void) | undefined;
}

/**
 * One TCP connection, from its first bytes to its last acknowledgement, in one of the states of `states.ts`. It has no
 * timer; the gateway calls `sweep` periodically.
 */
export class Connection implements Link {
  readonly id: string;
  readonly remote: string;
  readonly certificate: readonly string[] | undefined;
  readonly openedAt: number;
  lastByteAt: number;
  deviceId: string | undefined;
  devices: Set<string> | undefined;
  readonly #context: GatewayContext;
  readonly #socket: Socket;
  readonly #protocols: readonly StreamProtocol[];
  #driver: Driver<unknown> | undefined;
  /** commands that wait for the next HTTP response, whose body they become */
  readonly #commands: Command[] = [];
  /** bytes received before the protocol is identified */
  #first: Uint8Array | undefined;
  /** bytes since the last frame that belong to no frame */
  #junk = 0;
  #state: ConnectionState = 'identifying';
  readonly #pressure: BackPressure;
  /** start time of a partially received HTTP request */
  #requestSince: number | undefined;
  #closeReason: string | undefined;
  /** time at which the socket is destroyed, once the connection is not open any more */
  #destroyAt = Number.POSITIVE_INFINITY;

  constructor(socket: Socket, peer: Peer, protocols: readonly StreamProtocol[], context: GatewayContext) {
    this.id = context.nextId();
    this.#socket = socket;
    this.#context = context;
    this.#protocols = protocols;
    this.#pressure = new BackPressure(context.recorder);
    this.openedAt = context.clock.now();
    this.lastByteAt = this.openedAt;
    this.remote = peer.remote;
    this.certificate = peer.certificate;
    if (protocols.length === 1) this.#speak(protocols[0]!);
  }

  get transport(): 'tcp' | 'http' {
    return this.#driver?.protocol.speaks ?? 'tcp';
  }

  get protocol(): string {
    return this.#driver?.protocol.id ?? 'unknown';
  }

  get driver(): Driver<unknown> | undefined {
    return this.#driver;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Received frames are taken. */
  get #isOpen(): boolean {
    return table[this.#state].isOpen;
  }

  get isIdentified(): boolean {
    return this.deviceId !== undefined || this.devices !== undefined;
  }

  get closeReason(): string {
    return this.#closeReason ?? 'closed by the device';
  }

  onData(chunk: Uint8Array): void {
    if (!this.#isOpen) return;
    const now = this.#context.clock.now();
    this.lastByteAt = now;
    if (this.#driver !== undefined) {
      this.#take(this.#driver, chunk, now);
      return;
    }
    const first = this.#first === undefined ? chunk : Buffer.concat([this.#first, chunk]);
    this.#first = undefined;
    this.#identify(first, now, first.length >= MAX_IDENTIFY_BYTES);
  }

  /** Closes the connection if a timeout has passed. */
  sweep(now: number): void {
    if (!this.#isOpen) {
      if (now >= this.#destroyAt) this.#socket.destroy();
      return;
    }
    const { identifyTimeoutMs, idleTimeoutMs, requestTimeoutMs } = this.#context.limits;
    if (this.#driver === undefined && this.#first !== undefined && now - this.lastByteAt > 1000) {
      // The device waits for a response, so no more bytes will come.
      this.#identifyFinally();
    }
    if (!this.isIdentified && now - this.openedAt > identifyTimeoutMs) this.close('did not say who it is');
    else if (now - this.lastByteAt > idleTimeoutMs) this.close('silent');
    else if (
      this.#requestSince !== undefined &&
      !this.#pressure.isPaused &&
      now - this.#requestSince > requestTimeoutMs
    )
      this.close('request not finished');
  }

  deliver(bytes: Uint8Array, onTaken?: () => void): void {
    if (this.transport !== 'http') this.#write(bytes, onTaken);
    else if (this.#commands.length < MAX_COMMANDS) this.#commands.push({ bytes, onTaken });
  }

  write(bytes: Uint8Array): void {
    if (this.#commands.length === 0 || !canCarryCommand(bytes)) this.#write(bytes);
    else {
      const command = this.#commands.shift()!;
      this.#write(command.bytes, command.onTaken);
    }
  }

  #write(bytes: Uint8Array, onTaken?: () => void): void {
    if (this.#socket.destroyed || bytes.length === 0) return;
    if (onTaken === undefined) this.#socket.write(bytes);
    else this.#socket.write(bytes, (error) => error ?? onTaken());
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) {
      this.#closeReason ??= 'takes no answers';
      this.#socket.destroy();
    }
  }

  /** Stops reading permanently; pending records are still acknowledged. */
  close(reason: string): void {
    this.#closeReason ??= reason;
    this.#destroyIn(MAX_CLOSING_MS);
    this.#on('close');
    if (!this.#pressure.hasPending) this.#on('all-durable');
  }

  /** Waits without reading: the login cannot be decided. */
  #hold(): void {
    this.#closeReason ??= 'unsure';
    this.#destroyIn(MAX_DEVICE_LIST_WAIT_MS);
    this.#on('hold');
  }

  #destroyIn(ms: number): void {
    this.#destroyAt = Math.min(this.#destroyAt, this.#context.clock.now() + ms);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  stopReading(): void {
    this.#on('stop');
  }

  /** Resumes reading unless the state or back-pressure requires a pause. */
  resumeReading(): void {
    if (table[this.#state].socket !== 'read' || !this.#pressure.release()) return;
    if (this.#requestSince !== undefined) this.#requestSince = this.#context.clock.now();
    this.#socket.resume();
  }

  pauseReading(): void {
    this.#pressure.pause();
    this.#socket.pause();
  }

  #on(event: ConnectionEvent): void {
    const { socket, on } = table[this.#state];
    const after = on[event];
    if (after === undefined) return;
    this.#state = after;
    if (table[after].socket !== socket) this.#applySocket(table[after].socket);
    if (after === 'yielding') setImmediate(() => this.#state === 'yielding' && this.#takeMore());
    else if (after === 'draining') this.#takeMore();
    else if (after === 'closed') this.#reportEnd();
  }

  #applySocket(socket: SocketUse): void {
    if (socket === 'paused') this.#socket.pause();
    else if (socket === 'discarded') {
      this.#socket.end();
      this.#socket.resume();
    } else if (this.#pressure.isPaused) this.resumeReading();
    else this.#socket.resume();
  }

  #speak(protocol: StreamProtocol): Driver<unknown> {
    this.#driver = newDriver(protocol, this.#context, 'tcp');
    this.#context.counters.of(protocol.id).connections++;
    this.#on('identified');
    return this.#driver;
  }

  /** No more bytes will come to identify the protocol. */
  #identifyFinally(): void {
    const first = this.#first;
    if (!this.#isOpen || first === undefined) return;
    this.#first = undefined;
    this.#identify(first, this.#context.clock.now(), true);
  }

  /** The socket has closed. */
  onClose(): void {
    this.#identifyFinally();
    this.#on('gone');
  }

  #reportEnd(): void {
    const { sessions, intake, clock, counters } = this.#context;
    if (this.#driver !== undefined) counters.of(this.#driver.protocol.id).connections--;
    intake.report(sessions.end(this, this.closeReason, clock.now()));
  }

  #identify(first: Uint8Array, now: number, final: boolean): void {
    const guess = identify(first, 'tcp', this.#protocols, now, final);
    if (guess.type === 'decided') {
      this.#take(this.#speak(guess.protocol), first, now);
    } else if (guess.type === 'more') {
      this.#first = Uint8Array.from(first);
    } else {
      const candidates = guess.candidates.map((p) => p.service);
      this.#context.log.warn(
        { conn: this.id, remote: this.remote, first: toHex(first.subarray(0, 64)), candidates },
        candidates.length > 1
          ? 'first bytes fit several protocols: point the device at its own port (PORT_<SERVICE>)'
          : 'first bytes fit no protocol',
      );
      this.#context.intake.unidentified(this, first, now);
      const refusal = refuseUnknown(first);
      if (refusal !== undefined && this.#socket.writable) this.#socket.write(refusal);
      this.close('protocol not recognised');
    }
  }

  #take(driver: Driver<unknown>, chunk: Uint8Array, now: number): void {
    const steps = driver.push(chunk, now);
    if (driver.protocol.speaks === 'http') this.#timeRequest(driver, steps, now);
    if (this.#handle(steps, now) && driver.hasMore) this.#on('slice-used');
  }

  #timeRequest(driver: Driver<unknown>, steps: readonly DriverStep[], now: number): void {
    if (driver.buffered === 0) this.#requestSince = undefined;
    else if (this.#requestSince === undefined || steps.length > 0) this.#requestSince = now;
  }

  /** Takes the frames that the slice before has left. */
  #takeMore(): void {
    const now = this.#context.clock.now();
    if (this.#handle(this.#driver!.resume(now), now)) this.#endSlice();
  }

  #endSlice(): void {
    this.#on(this.#driver!.hasMore ? 'slice-used' : 'slice-done');
  }

  /** Returns false if the steps wait for a look-up. */
  #handle(steps: readonly DriverStep[], now: number): boolean {
    if (steps.length === 0) return true;
    const within = this.#withinJunkLimit(steps);
    const known = this.#context.sessions.lookUp(this, within ?? steps, now);
    if (known === undefined) this.#takeSteps(steps, within, now);
    else void this.#takeWhenKnown(known, steps, within);
    return known === undefined;
  }

  /** Takes the steps when the sessions on other gateways are known. */
  async #takeWhenKnown(
    known: Promise<unknown>,
    steps: readonly DriverStep[],
    within: readonly DriverStep[] | undefined,
  ): Promise<void> {
    this.#on('lookup-needed');
    await known;
    // steps that are not processed are not acknowledged
    if (!this.#isOpen) return;
    this.#takeSteps(steps, within, this.#context.clock.now());
    this.#endSlice();
  }

  #takeSteps(steps: readonly DriverStep[], within: readonly DriverStep[] | undefined, now: number): void {
    const { durable, end } = this.#context.intake.take(this, within ?? steps, now);
    if (durable !== undefined) this.#whenDurable(durable, sizeOf(within ?? steps));
    if (end === 'unsure') this.#hold();
    else if (end !== undefined) this.close(end);
    if (within !== undefined) this.close('sends no frames');
  }

  /** The steps before the limit of bytes without a frame is exceeded; undefined if it is not exceeded. */
  #withinJunkLimit(steps: readonly DriverStep[]): readonly DriverStep[] | undefined {
    for (const [at, step] of steps.entries()) {
      if (step.type === 'skipped' || step.type === 'bad-checksum') this.#junk += step.bytes.length;
      else this.#junk = 0;
      if (this.#junk > this.#context.limits.maxJunkBytes) return steps.slice(0, at + 1);
    }
    return undefined;
  }

  #whenDurable(durable: Promise<void>, bytes: number): void {
    if (this.#pressure.begin(bytes)) this.#socket.pause();
    void durable.then(() => {
      this.#pressure.settle(bytes);
      this.resumeReading();
      if (!this.#pressure.hasPending) this.#on('all-durable');
    });
  }
}

const sizeOf = (steps: readonly DriverStep[]): number =>
  steps.reduce((sum, step) => sum + (step.type === 'lost' ? 0 : step.bytes.length), 0);
