import { setImmediate as tick } from 'node:timers/promises';
import { Driver, type Message } from '#codec';
import type { UnnumberedEvent } from '../../../../src/contract/events.ts';
import { answersOther, type Link } from '../../../../src/gateway/connection/link.ts';
import type { DownlinkLine, Recorder } from '../../../../src/gateway/ports.ts';
import { Admission } from '../../../../src/gateway/sessions/admission.ts';
import { Deliveries } from '../../../../src/gateway/sessions/deliveries.ts';
import { Sessions } from '../../../../src/gateway/sessions/sessions.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { clock } from './clock.ts';
import type { ModelDevice } from './device.ts';

export type DeliverLine = Extract<DownlinkLine, { type: 'deliver' }>;

/** What happens to the next command that is written: the bytes and the connection, or the gateway itself. */
export type Fault =
  | 'half-open'
  | 'killed-before-spool'
  | 'killed-before-write'
  /** the device closes the connection when it has received so many bytes */
  | { readonly cutAfter: number };

const log = createLog('test', 'silent');
const NEVER = new Promise<never>(() => {});
const isKill = (fault: Fault | undefined): boolean => typeof fault === 'string' && fault.startsWith('killed');

/** A gateway process with its spool: real sessions and deliveries, links to modelled devices. */
export class ModelGateway {
  readonly name: string;
  readonly #onLeft: (line: DeliverLine) => void;
  readonly #spool: string[] = [];
  #lines: DownlinkLine[] = [];
  #settled = 0;
  #runs = 0;
  #conns = 0;
  #links = new Set<ModelLink>();
  #sessions!: Sessions;
  #deliveries!: Deliveries;
  #writing: DeliverLine | undefined;
  fault: Fault | undefined;
  /** bytes of the command that was written last */
  lastLength = 0;

  constructor(name: string, onLeft: (line: DeliverLine) => void) {
    this.name = name;
    this.#onLeft = onLeft;
    this.#start();
  }

  /** A line of the held stream; it waits until the gateway reads it. */
  push(line: DownlinkLine): void {
    this.#lines.push(line);
  }

  /** What was on its way when the stream ended. */
  forgetLines(): void {
    this.#lines = [];
  }

  async read(count: number): Promise<void> {
    for (const line of this.#lines.splice(0, count)) {
      if (line.type === 'deliver') this.#writing = line;
      this.#deliveries.apply(line);
      await tick();
      if (isKill(this.fault) && this.#isKilled) this.restart();
    }
  }

  /** Events that the API has not confirmed, as it is sent them. */
  unsettled(count: number): string {
    return this.#spool.slice(this.#settled, this.#settled + count).join('\n');
  }

  /** It has read all that it was sent, and reported all that it did. */
  get isIdle(): boolean {
    return this.#lines.length === 0 && this.#settled === this.#spool.length;
  }

  settle(seq: number): void {
    this.#settled = seq;
  }

  report(event: UnnumberedEvent): void {
    this.#spool.push(JSON.stringify({ seq: this.#spool.length + 1, ...event }));
  }

  tickClock(): void {
    this.report({ type: 'clock', at: clock.now() });
  }

  /** Time passes for what waits in the spool. */
  age(seconds: number): void {
    for (let i = this.#settled; i < this.#spool.length; i++) {
      const event = JSON.parse(this.#spool[i]!);
      this.#spool[i] = JSON.stringify({ ...event, at: event.at - seconds * 1_000 });
    }
  }

  connect(device: ModelDevice): ModelLink {
    const link = new ModelLink(this, device, `${this.#runId}.${++this.#conns}`);
    this.#links.add(link);
    for (const message of link.push(device.opening())) {
      if (message.type !== 'login') continue;
      for (const event of this.#sessions.login(link, message.ids, clock.now()).events) this.report(event);
    }
    return link;
  }

  end(link: ModelLink, reason: string): void {
    if (!this.#links.delete(link)) return;
    for (const event of this.#sessions.end(link, reason, clock.now())) this.report(event);
  }

  has(link: ModelLink): boolean {
    return this.#links.has(link);
  }

  /** The device of a link that carries bytes away. */
  left(): void {
    this.#onLeft(this.#writing!);
  }

  /** Killed and started again on its spool. */
  restart(): void {
    this.#links = new Set();
    this.#start();
  }

  #isKilled = false;

  get #runId(): string {
    return `run${this.#runs}`;
  }

  #start(): void {
    this.#runs++;
    this.#isKilled = false;
    this.fault = undefined;
    this.#lines = [];
    this.#sessions = new Sessions(new Admission(true));
    this.#deliveries = new Deliveries(this.#sessions, this.#recorder(), clock, log);
    this.report({ type: 'gateway-started', at: clock.now(), life: this.#runId });
  }

  #recorder(): Recorder {
    const runId = this.#runId;
    return {
      hasRoom: true,
      onRoom: () => {},
      append: async (records) => {
        if (runId !== this.#runId) return NEVER;
        const events = records.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as UnnumberedEvent);
        const isFatal = isKill(this.fault) && events.some(({ type }) => type === 'sent');
        if (this.fault !== 'killed-before-spool' || !isFatal) for (const event of events) this.report(event);
        if (!isFatal) return;
        this.#isKilled = true;
        return NEVER;
      },
    };
  }
}

/** A connection of a device, as its gateway has it. */
export class ModelLink implements Link {
  readonly id: string;
  readonly transport = 'tcp';
  readonly remote = 'test';
  readonly protocol: string;
  readonly openedAt = 0;
  lastByteAt = 0;
  readonly driver: Driver<unknown>;
  deviceId: string | undefined;
  devices: Set<string> | undefined;
  readonly #gateway: ModelGateway;
  readonly #device: ModelDevice;
  #isHalfOpen = false;

  constructor(gateway: ModelGateway, device: ModelDevice, id: string) {
    this.#gateway = gateway;
    this.#device = device;
    this.id = id;
    const { protocol } = device.kind;
    this.protocol = protocol.id;
    const onBug = (error: unknown): never => {
      throw error;
    };
    this.driver = new Driver(protocol, { transport: 'tcp', options: {}, onBug });
  }

  get isOpen(): boolean {
    return this.#gateway.has(this) && !this.#isHalfOpen;
  }

  write(): void {}

  deliver(bytes: Uint8Array, onTaken?: () => void): void {
    const fault = this.#gateway.fault;
    this.#gateway.fault = undefined;
    if (!this.#gateway.has(this)) return;
    const cutAfter = typeof fault === 'object' ? fault.cutAfter : bytes.length;
    this.#gateway.lastLength = bytes.length;
    if (cutAfter > 0) this.#gateway.left();
    if (fault === 'half-open') this.#isHalfOpen = true;
    if (this.#isHalfOpen) return;
    this.#device.receive(this, bytes.subarray(0, cutAfter));
    if (typeof fault === 'object') this.close('reset by the device');
    else onTaken?.();
  }

  /** Bytes of the device, as the gateway reads them. */
  push(bytes: Uint8Array): Message[] {
    return this.driver.push(bytes, clock.now()).flatMap((step) => {
      if (step.type !== 'frame') throw new Error(`the gateway does not understand its device: ${step.type}`);
      return step.messages;
    });
  }

  /** The answer to a command, which is known here: what is tied to it is not known to the server. */
  answer(commandId: string, bytes: Uint8Array): void {
    if (!this.isOpen) return;
    const { imei } = this.#device;
    for (const message of this.push(bytes)) {
      if (message.type !== 'answer') continue;
      const { ticket, outcome } = message;
      const content = { ticket, outcome, text: commandId, namesOther: answersOther(this, imei, message) || undefined };
      const event = { type: 'answer', at: clock.now(), imei, conn: this.id, ...content };
      this.#gateway.report(event as UnnumberedEvent);
    }
  }

  heartbeat(): void {
    if (!this.isOpen) return;
    this.#gateway.report({ type: 'heartbeat', at: clock.now(), imei: this.#device.imei, conn: this.id });
  }

  close(reason: string): void {
    this.#gateway.end(this, reason);
  }
}
