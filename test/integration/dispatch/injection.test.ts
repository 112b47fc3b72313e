import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandState, isFinal, type NewCommand } from '../../../src/contract/command.ts';
import type { DownlinkLine } from '../../../src/contract/events.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { DispatchEngine } from '../../../src/server/commands/dispatch/engine.ts';
import { readCommands } from '../../../src/server/commands/dispatch/store.ts';
import {
  commandEventTypes,
  type DeviceEvent,
  type ProtocolKnowledge,
} from '../../../src/server/commands/dispatch/unit-of-work.ts';
import { createDirectory } from '../../../src/server/devices/directory/index.ts';
import { directoryStore } from '../../../src/server/devices/directory/store.ts';
import { createIngestService, createPartitions, type IngestService } from '../../../src/server/ingest/batches/index.ts';
import { recordLimits, testSettings } from '../../support/settings.ts';
import { type Blow, Mortal } from './mortal.ts';
import { type DispatchWorld, openWorld } from './support.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

const log = createLog('test', 'silent');
const ROUNDS = 40;
const protocols: ProtocolKnowledge = { correlation: () => 'in-order', endsSession: () => false };

/** What an API process is to dispatch, on a way to the database that may break at any step. */
class Process {
  readonly mortal: Mortal;
  readonly engine: DispatchEngine;
  readonly events: IngestService;

  constructor(blow?: Blow) {
    this.mortal = new Mortal(blow);
    const pool = this.mortal.pool(world.database.ingest);
    const { listener } = world.database;
    this.engine = new DispatchEngine({
      pool,
      listener,
      clock: systemClock,
      log,
      protocols,
      openCommands: testSettings().OPEN_COMMANDS,
    });
    this.events = createIngestService({
      ...recordLimits(),
      pool,
      directory: createDirectory(directoryStore(pool, { tenantId: 1, perHour: 0 }), listener),
      positionMonths: createPartitions(pool, 'position', systemClock.now),
      timelineDays: createPartitions(pool, 'timeline', systemClock.now),
      clock: systemClock,
      autoRegister: false,
      defaultTenantId: 1,
      onRefused: () => {},
      commands: {
        eventTypes: commandEventTypes,
        load: (tx, gateway, events, touched) =>
          this.engine.load(tx, gateway, events as readonly DeviceEvent[], touched),
      },
    });
  }

  /** Does something that may fail with the process, or with its way to the database. */
  async attempt(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: Error) => {
      if (!this.mortal.hasStruck) throw error;
    });
  }

  async end(): Promise<void> {
    this.mortal.bury();
    await this.engine.stop();
  }
}

/** A gateway with a spool, and the device behind it: it runs what it is sent, and answers. */
class Gateway {
  readonly name = `gw-${randomUUID().slice(0, 8)}`;
  readonly runs: string[] = [];
  readonly #imei: string;
  readonly #conn = `${randomUUID().slice(0, 8)}.1`;
  readonly #spool: object[] = [];
  readonly #taken = new Set<string>();
  #settled = 0;

  constructor(imei: string) {
    this.#imei = imei;
    const session = { ids: [imei], protocol: 'teltonika', transport: 'tcp', remote: 'test' };
    this.#append({ type: 'session-opened', ...session });
  }

  hold(process: Process): Promise<unknown> {
    return process.engine.open(this.name, (line) => process.mortal.send(() => this.#take(line)));
  }

  get isReported(): boolean {
    return this.#settled === this.#spool.length;
  }

  /** Reports the next spooled event; what is not confirmed is reported again. */
  async report(process: Process): Promise<void> {
    const line = this.#spool[this.#settled];
    if (line === undefined) return;
    const answer = await process.events.ingest({ gateway: this.name, spool: 'spool' }, `${JSON.stringify(line)}\n`);
    expect(answer.rejected).toEqual([]);
    this.#settled = answer.lastSeq;
  }

  #take(line: DownlinkLine): void {
    if (line.type !== 'deliver') return;
    const { commandId, attempt } = line;
    if (this.#taken.has(`${commandId}/${attempt}`)) return;
    this.#taken.add(`${commandId}/${attempt}`);
    this.#append({ type: 'sent', commandId, attempt });
    this.runs.push(commandId);
    this.#append({ type: 'answer', outcome: 'done', text: 'OK' });
  }

  #append(event: object): void {
    const seq = this.#spool.length + 1;
    this.#spool.push({ seq, at: systemClock.now(), imei: this.#imei, conn: this.#conn, ...event });
  }
}

/** Three commands from enqueue to end, a fault in between, and what comes after. Whether the blow was met. */
async function live(blow: Blow): Promise<{ readonly hasStruck: boolean }> {
  const device = await world.device();
  const gateway = new Gateway(device.imei);
  const first = world.command(device.id);
  const once = world.command(device.id, { once: true });
  const urgent = world.command(device.id, { priority: 1 });
  const commands = [first, once, urgent];
  const states = async (): Promise<Map<string, CommandState>> => {
    const ids = commands.map(({ id }) => id);
    return new Map((await readCommands(world.database.ingest, ids)).map(({ id, state }) => [id, state]));
  };
  const struck = new Process(blow);
  let process = struck;
  const order = async (command: NewCommand): Promise<void> => {
    await process.attempt(() => process.engine.enqueue(command));
    // repeated at once where it was not stored, so that the order stays that of the service
    if (process.mortal.isDead || (await states()).has(command.id)) return;
    await process.attempt(() => process.engine.enqueue(command));
  };
  await order(first);
  await process.attempt(() => gateway.hold(process));
  await process.attempt(() => gateway.report(process));
  await order(once);
  await order(urgent);
  for (let round = 0; ; round++) {
    const known = await states();
    if (gateway.isReported && commands.every(({ id }) => isFinal(known.get(id) ?? 'pending'))) break;
    if (round === ROUNDS) throw new Error(`something is stuck: ${JSON.stringify([blow, ...known])}`);
    if (process.mortal.isDead) {
      await struck.end();
      process = new Process();
      await gateway.hold(process);
    }
    // a gateway whose stream was not opened asks again
    if (!process.engine.streams.gateways.includes(gateway.name)) await gateway.hold(process);
    // a backend service repeats what it was not answered, as an Idempotency-Key lets it
    for (const command of commands) if (!known.has(command.id)) await order(command);
    await process.attempt(() => gateway.report(process));
    if (gateway.isReported) await process.attempt(() => process.engine.sweep());
    if (struck.mortal.hasStruck) await age(device.id);
  }
  await process.end();
  const about = JSON.stringify(blow);
  const ends = await states();
  expect([ends.get(first.id), ends.get(urgent.id)], about).toEqual(['acknowledged', 'acknowledged']);
  expect(['acknowledged', 'unknown'], about).toContain(ends.get(once.id));
  const times = (command: NewCommand): number => gateway.runs.filter((id) => id === command.id).length;
  expect(times(once), about).toBeLessThanOrEqual(1);
  expect(times(first), about).toBeGreaterThan(0);
  expect(times(urgent), about).toBeGreaterThan(0);
  if (times(once) > 0) expect(gateway.runs.indexOf(first.id), about).toBeLessThan(gateway.runs.indexOf(once.id));
  return { hasStruck: struck.mortal.hasStruck };
}

/** Some seconds pass, so that a delivery that nobody reported is reported again. */
async function age(deviceId: number): Promise<void> {
  await world.database.ingest.query(
    `update command set deadline = deadline - interval '4 seconds' where device_id = $1 and state = 'sending'`,
    [deviceId],
  );
}

test.each([
  ['the process dies before it', { when: 'before', isFatal: true }],
  ['the process dies after it', { when: 'after', isFatal: true }],
  ['it fails', { when: 'before', isFatal: false }],
  ['it is done and its answer is lost', { when: 'after', isFatal: false }],
] as const)('at each statement and each line that is sent: %s', { timeout: 300_000 }, async (_, kind) => {
  let at = 1;
  while ((await live({ at, ...kind })).hasStruck) at++;
  // so many steps there are at least: none was overlooked
  expect(at).toBeGreaterThan(50);
});
