import { setImmediate as tick } from 'node:timers/promises';
import type { Driver } from '#codec';
import type { UnnumberedEvent } from '../../../../src/contract/events.ts';
import { Admission } from '../../../../src/gateway/admission.ts';
import { Deliveries } from '../../../../src/gateway/deliveries.ts';
import type { Link } from '../../../../src/gateway/link.ts';
import type { DownlinkLine, Recorder } from '../../../../src/gateway/ports.ts';
import { Sessions } from '../../../../src/gateway/sessions.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { clock } from './clock.ts';
import type { ModelDevice, Received } from './device.ts';

export type DeliverLine = Extract<DownlinkLine, { type: 'deliver' }>;

/** What happens to the next command that is written: the bytes and the connection, or the gateway itself. */
export type Fault = 'cut-before' | 'cut-after' | 'half-open' | 'killed-before-spool' | 'killed-before-write';

const log = createLog('test', 'silent');
const NEVER = new Promise<never>(() => {});
/** Encodes a command so that the device can read which command it is. */
const command = (type: string) => ({
  title: type,
  params: {},
  repeatable: true,
  encode: (params: Readonly<Record<string, unknown>>, { ticket }: { ticket?: string | undefined }) =>
    Buffer.from(JSON.stringify({ commandId: params['data'], ticket, type })),
});
const COMMANDS = { custom: command('custom'), restart: command('restart') };

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
      if (this.fault?.startsWith('killed') && this.#isKilled) this.restart();
    }
  }

  /** Events that the API has not confirmed, as it is sent them. */
  unsettled(count: number): string {
    return this.#spool.slice(this.#settled, this.#settled + count).join('\n');
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
    const login = this.#sessions.login(link, [device.imei], clock.now());
    for (const event of login.events) this.report(event);
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
        const isFatal = this.fault?.startsWith('killed') === true && events.some(({ type }) => type === 'sent');
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
    this.protocol = device.kind.protocol;
    const protocol = { id: this.protocol, correlation: device.kind.correlation, commands: COMMANDS };
    this.driver = { protocol, state: {}, options: {} } as unknown as Driver<unknown>;
  }

  get isOpen(): boolean {
    return this.#gateway.has(this) && !this.#isHalfOpen;
  }

  write(): void {}

  deliver(bytes: Uint8Array, onTaken?: () => void): void {
    const fault = this.#gateway.fault;
    this.#gateway.fault = undefined;
    if (!this.#gateway.has(this)) return;
    if (fault === 'cut-before') {
      this.close('reset by the device');
      return;
    }
    this.#gateway.left();
    if (fault === 'half-open') this.#isHalfOpen = true;
    if (this.#isHalfOpen) return;
    this.#device.receive(this, JSON.parse(Buffer.from(bytes).toString()) as Received);
    if (fault === 'cut-after') this.close('reset by the device');
    else onTaken?.();
  }

  answer({ commandId, ticket }: Received, outcome: 'done' | 'refused'): void {
    if (!this.isOpen) return;
    const own = this.#device.kind.correlation === 'ticket' ? { ticket } : {};
    this.#gateway.report({
      type: 'answer',
      at: clock.now(),
      imei: this.#device.imei,
      conn: this.id,
      outcome,
      text: commandId,
      ...own,
    } as UnnumberedEvent);
  }

  heartbeat(): void {
    if (!this.isOpen) return;
    this.#gateway.report({ type: 'heartbeat', at: clock.now(), imei: this.#device.imei, conn: this.id });
  }

  close(reason: string): void {
    this.#gateway.end(this, reason);
  }
}
