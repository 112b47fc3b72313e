import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { Journey, SimulatedDevice, simulatedImei } from '../../src/simulation/index.ts';
import { KEY } from '../support/processes.ts';

const PROTOCOLS = ['teltonika', 'gt06', 'jt808'];
const FIRST = 810_000;
const REPORT_MS = 100;
const COMMAND_MS = 250;
/** reports of a device that wait for their acknowledgement at most */
const OUTSTANDING = 20;
const MAX_ATTEMPTS = 3;
/** of so many commands one is reset a moment later */
const RESET_EVERY = 7;

export interface LabDevice {
  readonly device: SimulatedDevice;
  readonly protocol: string;
  /** times of the fixes that were acknowledged, epoch ms */
  readonly acknowledged: Set<number>;
  /** texts of commands by how often they were received */
  readonly received: Map<string, number>;
  readonly journey: Journey;
}

export interface LabCommand {
  readonly id: string;
  readonly imei: string;
  readonly text: string;
  readonly isOnce: boolean;
  /** how often it was put back to pending */
  resets: number;
}

/** Devices that report without pause, and a service that sends them commands. Both repeat what was not answered. */
export class Load {
  readonly devices: LabDevice[] = [];
  readonly commands: LabCommand[] = [];
  /** answers other than 200 and connections that were lost; each request was repeated until it was answered */
  failedRequests = 0;
  readonly startAt = Math.floor(Date.now() / 1000) * 1000 - 6 * 3_600_000;
  readonly #url: string;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #requests = new Set<Promise<void>>();
  #commands = 0;

  private constructor(url: string) {
    this.#url = url;
  }

  static async start(url: string, devicePort: number, count: number): Promise<Load> {
    const load = new Load(url);
    const catalogue = await loadCatalogue();
    for (let n = 0; n < count; n++) {
      const protocol = PROTOCOLS[n % PROTOCOLS.length]!;
      const { simulator } = catalogue.byId(protocol)!;
      const acknowledged = new Set<number>();
      const received = new Map<string, number>();
      const device = new SimulatedDevice(
        {
          id: simulatedImei(FIRST + n),
          simulator,
          transport: 'tcp',
          host: '127.0.0.1',
          port: devicePort,
          answer: 'ack',
          slowAnswerMs: 0,
        },
        {
          acknowledged: ({ fixes }) => {
            for (const { time } of fixes) acknowledged.add(time);
          },
          command: (text) => received.set(text, (received.get(text) ?? 0) + 1),
        },
        systemClock,
      );
      load.devices.push({ device, protocol, acknowledged, received, journey: new Journey(FIRST + n, load.startAt) });
      device.start();
    }
    load.#timers.push(setInterval(() => load.#report(), REPORT_MS));
    load.#timers.push(setInterval(() => load.#command(), COMMAND_MS));
    return load;
  }

  get acknowledged(): number {
    return this.devices.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  }

  /** No more reports and commands; resolves when each has been acknowledged or answered. */
  async settle(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#requests);
    while (this.devices.some(({ device }) => device.outstanding > 0)) await sleep(100);
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const { device } of this.devices) device.stop();
  }

  #report(): void {
    for (const { device, journey } of this.devices) {
      if (device.isReady && device.outstanding < OUTSTANDING) device.report(journey.take(1));
    }
  }

  /** Teltonika devices receive texts as they are, so that a command can be found by its text. */
  #command(): void {
    const able = this.devices.filter(({ protocol }) => protocol === 'teltonika');
    const n = ++this.#commands;
    const { device } = able[n % able.length]!;
    const request = this.#enqueue(device.id, `getparam ${100_000 + n}`, n % 2 === 0);
    this.#requests.add(request);
    void request.finally(() => this.#requests.delete(request));
  }

  async #enqueue(imei: string, text: string, isOnce: boolean): Promise<void> {
    const key = randomUUID();
    const delivery = isOnce ? 'at_most_once' : 'at_least_once';
    const body = JSON.stringify({ imei, gprsCommand: text, delivery, maxAttempts: MAX_ATTEMPTS, ttlSeconds: 3_600 });
    for (;;) {
      const answer = await fetch(`${this.#url}/v1/gprsCommands/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': key },
        body,
        signal: AbortSignal.timeout(20_000),
      }).catch(() => undefined);
      const read = (await answer?.json().catch(() => undefined)) as { commandId?: string; code?: string } | undefined;
      if (answer?.status === 200 && read?.commandId !== undefined) {
        const command = { id: read.commandId, imei, text, isOnce, resets: 0 };
        this.commands.push(command);
        if (this.commands.length % RESET_EVERY === 0) await this.#reset(command);
        return;
      }
      // a device has room for so many commands: this one was refused and is not repeated
      if (read?.code === 'device-queue-full') return;
      this.failedRequests++;
      await sleep(500);
    }
  }

  /** Refused where the command has ended well or may have been executed once. The answer may be lost: it counts then too. */
  async #reset(command: LabCommand): Promise<void> {
    const answer = await fetch(`${this.#url}/v1/gprsCommands/${command.id}/reset`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${KEY}` },
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined);
    const read = (await answer?.json().catch(() => undefined)) as { requeued?: number } | undefined;
    if (answer?.ok !== true || read?.requeued === 1) command.resets++;
  }
}
