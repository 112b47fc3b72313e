import type { Socket } from 'node:net';
import { type Driver, type DriverStep, type StreamProtocol, toHex } from '#codec';
import { canCarryCommand, refuseUnknown } from '#codec/http';
import { type GatewayContext, newDriver } from './context.ts';
import { identify } from './identify.ts';
import type { Link } from './link.ts';

/** Bytes that are read and not safe yet, beyond which a connection is read no further. */
const UNSAFE_BYTES = 256 * 1024;
/** Bytes that the device does not take, beyond which its connection ends. */
const UNREAD_BYTES = 1024 * 1024;
/** First bytes, inspected to identify the protocol. */
const FIRST_BYTES = 4096;
/** Commands that wait on a connection; more are for its next one. */
const MOST_COMMANDS = 100;
/** How long a device is held while the device list is not known, before its connection is closed. */
const UNSURE_MS = 10_000;

/** Who is at the other end of a connection. */
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
 * One TCP connection: from its first bytes to its last acknowledgement. It has no timer of
 * its own; `sweep` is called by the clock of the gateway.
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
  /** commands that wait for an answer to be the body of */
  readonly #commands: Command[] = [];
  /** before the protocol is known: what has come so far */
  #first: Uint8Array | undefined;
  #unsafe = 0;
  /** bytes since the last frame that belong to none */
  #junk = 0;
  /** number of appends whose acknowledgements are to be written before the socket is ended */
  #waiting = 0;
  #paused = false;
  /** bytes that were read wait for the next turn of the event loop */
  #hasMore = false;
  /** when the HTTP request began of which a part has been read */
  #requestSince: number | undefined;
  /** messages that were read wait until the sessions of other gateways are known */
  #isLookingUp = false;
  #isGone = false;
  #stopped = false;
  #closeReason: string | undefined;
  #closeAt = Number.POSITIVE_INFINITY;

  constructor(socket: Socket, peer: Peer, protocols: readonly StreamProtocol[], context: GatewayContext) {
    this.id = context.nextId();
    this.#socket = socket;
    this.#context = context;
    this.#protocols = protocols;
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

  get isIdentified(): boolean {
    return this.deviceId !== undefined || this.devices !== undefined;
  }

  get closeReason(): string {
    return this.#closeReason ?? 'closed by the device';
  }

  onData(chunk: Uint8Array): void {
    if (this.#stopped) return;
    const now = this.#context.clock.now();
    this.lastByteAt = now;
    if (this.#driver !== undefined) {
      this.#take(this.#driver, chunk, now);
      return;
    }
    const first = this.#first === undefined ? chunk : Buffer.concat([this.#first, chunk]);
    this.#first = undefined;
    this.#identify(first, now, first.length >= FIRST_BYTES);
  }

  /** Looks after what time decides. */
  sweep(now: number): void {
    if (this.#stopped) {
      if (now >= this.#closeAt) this.#socket.destroy();
      return;
    }
    const { identifyTimeoutMs, idleTimeoutMs, requestTimeoutMs } = this.#context.limits;
    if (this.#driver === undefined && this.#first !== undefined && now - this.lastByteAt > 1000) {
      // The device waits for an answer: no more bytes will come to identify it.
      const first = this.#first;
      this.#first = undefined;
      this.#identify(first, now, true);
    }
    if (!this.isIdentified && now - this.openedAt > identifyTimeoutMs) this.close('did not say who it is');
    else if (now - this.lastByteAt > idleTimeoutMs) this.close('silent');
    else if (this.#requestSince !== undefined && !this.#paused && now - this.#requestSince > requestTimeoutMs)
      this.close('request not finished');
  }

  deliver(bytes: Uint8Array, onTaken?: () => void): void {
    if (this.transport !== 'http') this.#write(bytes, onTaken);
    else if (this.#commands.length < MOST_COMMANDS) this.#commands.push({ bytes, onTaken });
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
    if (this.#socket.writableLength > UNREAD_BYTES) {
      this.#closeReason ??= 'takes no answers';
      this.#socket.destroy();
    }
  }

  /** Stops reading for good; what is on its way to safety is still acknowledged. */
  close(reason: string, afterMs = 0): void {
    this.#closeReason ??= reason;
    if (!this.#stopped) this.stopReading();
    this.#closeAt = Math.min(this.#closeAt, this.#context.clock.now() + Math.max(afterMs, 5_000));
    if (afterMs === 0 && this.#waiting === 0) this.#end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Says good-bye; what still comes is read and dropped, so that the device's good-bye is seen. */
  #end(): void {
    this.#socket.end();
    this.#socket.resume();
  }

  stopReading(): void {
    this.#stopped = true;
    this.#socket.pause();
  }

  /** Reads on, if nothing else holds it back. */
  resumeReading(): void {
    if (this.#stopped || !this.#paused || this.#hasMore) return;
    if (this.#unsafe > UNSAFE_BYTES || !this.#context.recorder.hasRoom) return;
    this.#paused = false;
    if (this.#requestSince !== undefined) this.#requestSince = this.#context.clock.now();
    this.#socket.resume();
  }

  pauseReading(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  #speak(protocol: StreamProtocol): Driver<unknown> {
    this.#driver = newDriver(protocol, this.#context, 'tcp');
    this.#context.counters.of(protocol.id).connections++;
    return this.#driver;
  }

  /** The socket is gone. */
  onClose(): void {
    while (this.#driver?.hasMore && !this.#stopped && !this.#isLookingUp) this.#handleMore(this.#driver);
    this.#isGone = true;
    if (this.#isLookingUp) return;
    this.#stopped = true;
    if (this.#driver !== undefined) this.#context.counters.of(this.#driver.protocol.id).connections--;
    const { sessions, intake, clock } = this.#context;
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
      const refusal = refuseUnknown(first);
      if (refusal !== undefined) this.#socket.write(refusal);
      this.close('protocol not recognised');
    }
  }

  #take(driver: Driver<unknown>, chunk: Uint8Array, now: number): void {
    const steps = driver.push(chunk, now);
    if (driver.protocol.speaks === 'http') this.#timeRequest(driver, steps, now);
    this.#handle(steps, now);
    if (driver.hasMore && !this.#isLookingUp) this.#continueLater(driver);
  }

  #timeRequest(driver: Driver<unknown>, steps: readonly DriverStep[], now: number): void {
    if (driver.buffered === 0) this.#requestSince = undefined;
    else if (this.#requestSince === undefined || steps.length > 0) this.#requestSince = now;
  }

  /** The driver has used up its budget: other connections come first, and nothing is read before the rest is taken. */
  #continueLater(driver: Driver<unknown>): void {
    this.#hasMore = true;
    this.#socket.pause();
    setImmediate(() => {
      if (!this.#hasMore || this.#stopped) return;
      this.#handleMore(driver);
      if (!this.#isLookingUp) this.#continue(driver);
    });
  }

  #handleMore(driver: Driver<unknown>): void {
    const now = this.#context.clock.now();
    this.#handle(driver.resume(now), now);
  }

  #continue(driver: Driver<unknown>): void {
    if (driver.hasMore) {
      this.#continueLater(driver);
      return;
    }
    this.#hasMore = false;
    if (this.#paused) this.resumeReading();
    else if (!this.#stopped) this.#socket.resume();
  }

  #handle(steps: readonly DriverStep[], now: number): void {
    if (steps.length === 0) return;
    const within = this.#withinJunkLimit(steps);
    const known = this.#context.sessions.lookUp(this, within ?? steps, now);
    if (known === undefined) this.#takeSteps(steps, within, now);
    else void this.#takeWhenKnown(known, steps, within);
  }

  /** Nothing is read until the sessions of other gateways are known. */
  async #takeWhenKnown(
    known: Promise<unknown>,
    steps: readonly DriverStep[],
    within: readonly DriverStep[] | undefined,
  ): Promise<void> {
    this.#isLookingUp = true;
    this.#hasMore = true;
    this.#socket.pause();
    await known;
    this.#isLookingUp = false;
    // What is not taken is not acknowledged.
    if (!this.#stopped) this.#takeSteps(steps, within, this.#context.clock.now());
    if (this.#isGone) this.onClose();
    else this.#continue(this.#driver!);
  }

  #takeSteps(steps: readonly DriverStep[], within: readonly DriverStep[] | undefined, now: number): void {
    const { safe, end } = this.#context.intake.take(this, within ?? steps, now);
    if (safe !== undefined) this.#awaitSafety(safe, sizeOf(within ?? steps));
    if (end !== undefined) this.close(end, end === 'unsure' ? UNSURE_MS : 0);
    if (within !== undefined) this.close('sends no frames');
  }

  /** The steps until the connection has sent too many bytes that belong to no frame; undefined if it has not. */
  #withinJunkLimit(steps: readonly DriverStep[]): readonly DriverStep[] | undefined {
    for (const [at, step] of steps.entries()) {
      if (step.type === 'skipped' || step.type === 'bad-checksum') this.#junk += step.bytes.length;
      else this.#junk = 0;
      if (this.#junk > this.#context.limits.maxJunkBytes) return steps.slice(0, at + 1);
    }
    return undefined;
  }

  #awaitSafety(safe: Promise<void>, bytes: number): void {
    this.#unsafe += bytes;
    this.#waiting++;
    if (!this.#paused && (this.#unsafe > UNSAFE_BYTES || !this.#context.recorder.hasRoom)) this.pauseReading();
    void safe.then(() => {
      this.#unsafe -= bytes;
      this.#waiting--;
      if (this.#paused) this.resumeReading();
      if (this.#stopped && this.#waiting === 0 && this.#closeReason !== undefined && this.#closeReason !== 'unsure')
        this.#socket.end();
    });
  }
}

const sizeOf = (steps: readonly DriverStep[]): number =>
  steps.reduce((sum, step) => sum + (step.type === 'lost' ? 0 : step.bytes.length), 0);
