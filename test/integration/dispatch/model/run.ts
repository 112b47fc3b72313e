import type { NewCommand } from '../../../../src/contract/command.ts';
import type { DownlinkLine } from '../../../../src/contract/events.ts';
import type { Command } from '../../../../src/server/commands/dispatch/command.ts';
import { cancel, flush, rearm } from '../../../../src/server/commands/dispatch/index.ts';
import { COLUMNS, FROM } from '../../../../src/server/commands/dispatch/store.ts';
import type { DispatchWorld } from '../support.ts';
import { age, clock } from './clock.ts';
import { type Kind, ModelDevice, RESTART } from './device.ts';
import { type DeliverLine, ModelGateway } from './gateway.ts';
import { check } from './invariants.ts';
import { demandJobs, type ModelJobs } from './jobs.ts';
import type { Operation } from './operations.ts';
import { ApiProcess } from './process.ts';

export type Row = Command & { readonly seq: number };

const ANSWER_SECONDS = 20;
/** Longer than any time to live, answer time and hold together. */
const DRAIN_ROUNDS = 14;
const ALL = 1_000;
const NONE: ReadonlyMap<string, number> = new Map();
const REARMABLE = ['failed', 'expired', 'unknown', 'cancelled'];

const keyOf = ({ commandId, attempt }: DeliverLine): string => `${commandId}/${attempt}`;

export const isRestart = ({ data }: NewCommand['params']): boolean => String(data).includes(RESTART);

/** One device with its gateways, services and API process, as a sequence of operations drives it. */
export class Run {
  readonly device: ModelDevice;
  readonly gateways: readonly ModelGateway[];
  /** times that bytes of a command have left, by command and arming */
  readonly left = new Map<string, number>();
  /** what this operation was the first to deliver */
  fresh: DeliverLine[] = [];
  readonly #world: DispatchWorld;
  readonly #jobs: ModelJobs;
  readonly #armings = new Map<string, number>();
  readonly #armingOf = new Map<string, number>();
  readonly #requested = new Map<string, NewCommand>();
  #rows: readonly Row[] = [];
  #process: ApiProcess;
  #closing: (() => void)[] = [];

  constructor(world: DispatchWorld, jobs: ModelJobs, device: { id: number; imei: string }, kind: Kind) {
    this.#world = world;
    this.#jobs = jobs;
    this.device = new ModelDevice(device.id, device.imei, kind);
    this.#process = this.#newProcess();
    const onLeft = (line: DeliverLine) => {
      const key = `${line.commandId}/${this.#armingOf.get(keyOf(line))}`;
      this.left.set(key, (this.left.get(key) ?? 0) + 1);
    };
    this.gateways = [0, 1].map((n) => new ModelGateway(`gw-${device.imei}-${n}`, onLeft));
  }

  async start(): Promise<void> {
    await this.#openStreams();
  }

  /** Does it and checks what must be true of the commands before and after. */
  async step(operation: Operation): Promise<void> {
    const before = this.#rows;
    this.fresh = [];
    await this.#apply(operation);
    this.#rows = await this.#read();
    const cursor = operation.type === 'sweep' ? await this.#cursors() : NONE;
    check({ run: this, before, after: this.#rows, operation, cursor });
  }

  /** Whatever was begun comes to an end if the device is silent and everything else works. */
  async drain(): Promise<void> {
    for (let round = 0; round < DRAIN_ROUNDS && this.#open().length > 0; round++) {
      await this.step({ type: 'wait', seconds: 61 });
      await this.step({ type: 'exchange' });
      await this.step({ type: 'sweep' });
      await this.step({ type: 'exchange' });
    }
    const open = this.#open();
    if (open.length > 0) throw new Error(`never ended: ${JSON.stringify(open)}`);
  }

  /** Jobs are published after rows are committed: until they agree, the next run can begin. */
  demandJobs(): Promise<void> {
    return demandJobs(this.#jobs, this.#rows);
  }

  async close(): Promise<void> {
    for (const close of this.#closing) close();
    await this.#process.engine.stop();
  }

  async #read(): Promise<Row[]> {
    const { rows } = await this.#world.database.ingest.query<Row>({
      name: 'model-rows',
      text: `select ${COLUMNS}, c.seq ${FROM} where c.device_id = $1 order by c.seq`,
      values: [this.device.id],
    });
    return rows;
  }

  requested(id: string): NewCommand {
    return this.#requested.get(id)!;
  }

  #open(): Row[] {
    return this.#rows.filter(({ endedAt }) => endedAt === null);
  }

  async #cursors(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#world.database.ingest.query<{ gateway: string; clock: number }>({
      name: 'model-cursors',
      text: 'select gateway, clock from gateway_cursor where gateway = any($1::text[])',
      values: [`{${this.gateways.map(({ name }) => name).join(',')}}`],
    });
    return new Map(rows.map((row) => [row.gateway, row.clock]));
  }

  #newProcess(): ApiProcess {
    return new ApiProcess(this.#world, {
      correlation: () => this.device.kind.protocol.correlation,
      endsSession: (_, { params }) => isRestart(params),
    });
  }

  async #apply(operation: Operation): Promise<void> {
    const { device, gateways } = this;
    switch (operation.type) {
      case 'enqueue':
        return this.#enqueue(operation);
      case 'cancel':
      case 'reset':
      case 'flush':
      case 'reset-device':
        return this.#request(operation);
      case 'read':
        return gateways[operation.gateway]!.read(operation.count);
      case 'post':
        return this.#post(gateways[operation.gateway]!, operation.count);
      case 'exchange':
        for (let round = 0; round < 3; round++) {
          for (const gateway of gateways) await gateway.read(ALL);
          for (const gateway of gateways) await this.#post(gateway, ALL);
        }
        return;
      case 'answer':
        return device.answer(operation.pick, operation.outcome, operation.times);
      case 'ignore':
        return device.ignore();
      case 'heartbeat':
        return device.link?.heartbeat();
      case 'disconnect':
        return device.link?.close('closed by the device');
      case 'restart-device':
        if (device.takeRestart()) device.link?.close('closed by the device');
        return;
      case 'connect':
        return device.connect(gateways[operation.gateway]!);
      case 'kill-gateway':
        return gateways[operation.gateway]!.restart();
      case 'end-lease':
        return this.#endLease(gateways[operation.gateway]!);
      case 'fault':
        gateways[operation.gateway]!.fault = operation.fault;
        return;
      case 'kill-api':
        return this.#killApi();
      case 'compare-jobs':
        return demandJobs(this.#jobs, this.#rows);
      case 'wait':
        return this.#wait(operation.seconds);
      case 'sweep':
        return this.#process.engine.sweep();
    }
  }

  async #enqueue(operation: Extract<Operation, { type: 'enqueue' }>): Promise<void> {
    const command = this.#world.command(this.device.id, {
      priority: operation.priority,
      once: operation.isOnce,
      maxAttempts: operation.maxAttempts,
      ttlMs: operation.ttlSeconds * 1_000,
      answerMs: ANSWER_SECONDS * 1_000,
    });
    const { kind, imei } = this.device;
    const data = kind.wrap(operation.isRestart ? `${RESTART} ${command.id}` : command.id, imei);
    const own = { ...command, params: { data } };
    this.#requested.set(command.id, own);
    await this.#process.engine.enqueue(own);
  }

  async #request(
    operation: Extract<Operation, { type: 'cancel' | 'reset' | 'flush' | 'reset-device' }>,
  ): Promise<void> {
    const { engine } = this.#process;
    const requester = { tenantId: 1, actor: 'test', now: clock.now() };
    const { isForced } = operation;
    if (operation.type === 'flush') return void (await flush(engine, this.device.id, isForced, requester));
    const ids = [...this.#requested.keys()];
    if (ids.length === 0) return;
    const deviceId = this.device.id;
    const chosen = 'pick' in operation ? ids.at(operation.pick % ids.length)! : '';
    if (operation.type === 'cancel') return void (await cancel(engine, chosen, isForced, requester));
    const states = (isForced ? [...REARMABLE, 'sent'] : REARMABLE) as never;
    const target = operation.type === 'reset' ? { commandId: chosen } : { deviceId, states, commandIds: undefined };
    const options = { isForced, ttlMs: undefined, states, commandIds: undefined, target } as never;
    // a command that is put back is sent in the same transaction
    for (const id of ids) this.#armings.set(id, (this.#armings.get(id) ?? 0) + 1);
    const { requeued } = await rearm(engine, options, requester);
    for (const id of ids) {
      if (requeued.includes(id)) continue;
      const arming = this.#armings.get(id)! - 1;
      this.#armings.set(id, arming);
      // sent because another one was put back
      for (const line of this.fresh) if (line.commandId === id) this.#armingOf.set(keyOf(line), arming);
    }
  }

  async #post(gateway: ModelGateway, count: number): Promise<void> {
    const body = gateway.unsettled(count);
    if (body === '') return;
    const answer = await this.#process.events.ingest({ gateway: gateway.name, spool: 'spool' }, `${body}\n`);
    if (answer.rejected.length > 0) throw new Error(`rejected: ${JSON.stringify(answer.rejected)}`);
    gateway.settle(answer.lastSeq);
  }

  async #wait(seconds: number): Promise<void> {
    const { device, gateways } = this;
    await age(this.#world.database.ingest, { deviceId: device.id, gateways: gateways.map((g) => g.name), seconds });
    for (const gateway of gateways) {
      gateway.age(seconds);
      gateway.tickClock();
      await this.#lease(gateway, 30);
    }
  }

  /** The gateway is away for the API although it runs; what it was sent meanwhile waits in the stream. */
  async #endLease(gateway: ModelGateway): Promise<void> {
    await this.#lease(gateway, -1);
  }

  async #killApi(): Promise<void> {
    for (const gateway of this.gateways) gateway.forgetLines();
    await this.close();
    this.#process = this.#newProcess();
    await this.#openStreams();
  }

  async #openStreams(): Promise<void> {
    for (const gateway of this.gateways) await this.#lease(gateway, 30);
    this.#closing = await Promise.all(
      this.gateways.map((gateway) =>
        this.#process.engine.open(gateway.name, (line: DownlinkLine) => this.#send(gateway, line)),
      ),
    );
  }

  #send(gateway: ModelGateway, line: DownlinkLine): void {
    if (line.type === 'deliver') {
      const key = keyOf(line);
      const arming = this.#armings.get(line.commandId) ?? 0;
      if (!this.#armingOf.has(key)) {
        this.#armingOf.set(key, arming);
        this.fresh.push(line);
      }
    }
    // the engine sends nothing else
    if (line.type !== 'set-aside') gateway.push(line);
  }

  async #lease(gateway: ModelGateway, seconds: number): Promise<void> {
    await this.#world.database.ingest.query({
      name: 'model-lease',
      text: `insert into gateway_lease (gateway, lease_until, clock) values ($1, now() + $2 * interval '1 second', now())
             on conflict (gateway) do update set lease_until = excluded.lease_until`,
      values: [gateway.name, seconds],
    });
  }
}
