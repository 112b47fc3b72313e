import { randomUUID } from 'node:crypto';
import type { NewCommand } from '../../../src/contract/command.ts';
import type { DownlinkLine, UnnumberedEvent } from '../../../src/contract/events.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { Command } from '../../../src/server/commands/dispatch/command.ts';
import { DispatchEngine } from '../../../src/server/commands/dispatch/engine.ts';
import { prepareJobTables } from '../../../src/server/commands/dispatch/queue/index.ts';
import { readCommands } from '../../../src/server/commands/dispatch/store.ts';
import type { CommandEvent } from '../../../src/server/commands/dispatch/unit-of-work.ts';
import { type Database, openDatabase, type Queryable, transaction } from '../../../src/server/database/index.ts';
import { createDatabase, dropDatabase } from '../../support/databases.ts';
import type { TestServer } from '../../support/postgres.ts';
import { testSettings } from '../../support/settings.ts';

export type DeliverLine = Extract<DownlinkLine, { type: 'deliver' }>;

export interface DispatchWorld {
  readonly database: Database;
  /** a new API process: an engine of its own */
  engine(): DispatchEngine;
  device(imei?: string): Promise<{ id: number; imei: string }>;
  command(deviceId: number, over?: Partial<NewCommand>): NewCommand;
  read(id: string): Promise<Command>;
  close(): Promise<void>;
}

const log = createLog('test', 'silent');

/** A database of its own, on the server that the tests share unless one is given. */
export async function openWorld(given?: TestServer): Promise<DispatchWorld> {
  const url = given === undefined ? await createDatabase() : await given.database();
  const database = await openDatabase({ url, log, prepare: prepareJobTables });
  const tenantId = await database.tenantId('default');
  const engines: DispatchEngine[] = [];
  let devices = 0;
  return {
    database,
    engine() {
      const correlation = (protocol: string | null) =>
        (protocol === 'ticketed' ? 'ticket' : 'in-order') as 'ticket' | 'in-order';
      const engine = new DispatchEngine({
        pool: database.ingest,
        listener: database.listener,
        clock: systemClock,
        log,
        openCommands: testSettings().OPEN_COMMANDS,
        protocols: { correlation, endsSession: (_, { type }) => type === 'restart' },
      });
      engines.push(engine);
      return engine;
    },
    async device(imei = `device-${++devices}`) {
      const { rows } = await database.ingest.query<{ id: number }>(
        `insert into device (tenant_id, imei, registered_by) values ($1, $2, 'api') returning id`,
        [tenantId, imei],
      );
      return { id: rows[0]!.id, imei };
    },
    command: (deviceId, over = {}) => ({
      id: `cmd_${randomUUID().replaceAll('-', '')}`,
      tenantId,
      deviceId,
      priority: 5,
      type: 'custom',
      params: { data: 'getinfo' },
      text: 'getinfo',
      encoding: 'text',
      once: false,
      maxAttempts: 3,
      ttlMs: 86_400_000,
      answerMs: 60_000,
      createdBy: 'test',
      ...over,
    }),
    async read(id) {
      return (await readCommands(database.ingest, [id]))[0]!;
    },
    async close() {
      for (const engine of engines) await engine.stop();
      await database.close();
      if (given === undefined) await dropDatabase(url);
    },
  };
}

/** A gateway as the engine sees it: a stream that takes lines, sessions, events in transactions. */
export class FakeGateway {
  readonly lines: DownlinkLine[] = [];
  readonly #world: DispatchWorld;
  readonly #waiting: (() => void)[] = [];
  readonly startId: string;
  readonly name: string;
  engine: DispatchEngine;
  close: () => void = () => {};
  #conns = 0;

  constructor(
    world: DispatchWorld,
    engine: DispatchEngine,
    name = `gw-${randomUUID().slice(0, 6)}`,
    startId = randomUUID().slice(0, 8),
  ) {
    this.#world = world;
    this.engine = engine;
    this.name = name;
    this.startId = startId;
  }

  async open(): Promise<this> {
    await this.lease(30);
    this.close = await this.engine.open(this.name, (line) => {
      this.lines.push(line);
      for (const wake of this.#waiting.splice(0)) wake();
    });
    return this;
  }

  async lease(seconds: number): Promise<void> {
    await this.#world.database.ingest.query(
      `insert into gateway_lease (gateway, lease_until, clock) values ($1, now() + $2 * interval '1 second', now())
       on conflict (gateway) do update set lease_until = excluded.lease_until`,
      [this.name, seconds],
    );
  }

  /** The device connects here; the connection's id. */
  async connect(device: { id: number; imei: string }, protocol = 'ordered'): Promise<string> {
    const conn = `${this.startId}.${++this.#conns}`;
    const at = systemClock.now();
    await this.report(
      {
        type: 'session-opened',
        at,
        imei: device.imei,
        conn,
        ids: [device.imei],
        protocol,
        transport: 'tcp',
        remote: 'test',
      },
      device.id,
      async (tx) => {
        await tx.query(
          `insert into session (device_id, tenant_id, gateway, conn, protocol, open, since, changed_at, seen_at)
           values ($1, 1, $2, $3, $4, true, now(), now(), now())
           on conflict (device_id) do update set gateway = $2, conn = $3, protocol = $4, open = true, seen_at = now()`,
          [device.id, this.name, conn, protocol],
        );
      },
    );
    return conn;
  }

  async disconnect(device: { id: number; imei: string }, conn: string): Promise<void> {
    const event = { type: 'session-closed', at: systemClock.now(), imei: device.imei, conn, reason: 'test' } as const;
    await this.report(event, device.id, async (tx) => {
      await tx.query('update session set open = false where device_id = $1 and conn = $2', [device.id, conn]);
    });
  }

  async report(
    event: UnnumberedEvent,
    deviceId: number | undefined,
    before: (tx: { query(text: string, values: unknown[]): Promise<unknown> }) => Promise<void> = async () => {},
  ): Promise<void> {
    await this.reportAll([event], deviceId, before);
  }

  /** Reports events in one batch; the names of the statements that load what they are about. */
  async reportAll(
    events: readonly UnnumberedEvent[],
    deviceId: number | undefined,
    before: (tx: { query(text: string, values: unknown[]): Promise<unknown> }) => Promise<void> = async () => {},
  ): Promise<string[]> {
    const names: string[] = [];
    const changes = await transaction(this.#world.database.ingest, async (tx) => {
      const noting = {
        query: (statement: { name?: string }) => {
          names.push(statement.name ?? '');
          return tx.query(statement as never);
        },
      } as Queryable;
      const numbered = events.map((event, index) => ({
        event: { ...event, seq: index + 1 } as CommandEvent,
        deviceId,
      }));
      const loaded = await this.engine.load(noting, this.name, numbered);
      await before(tx);
      await loaded.apply();
      return loaded;
    });
    changes.afterCommit();
    return names;
  }

  async sent(line: DeliverLine, deviceId: number): Promise<void> {
    await this.report(sentEvent(line), deviceId);
  }

  async answer(line: DeliverLine, deviceId: number, over: object = {}): Promise<void> {
    await this.report(answerEvent(line, over), deviceId);
  }

  /** The stream has been applied up to now. */
  async clock(at = systemClock.now()): Promise<void> {
    await this.#world.database.ingest.query(
      `insert into gateway_cursor (gateway, spool, last_seq, clock) values ($1, 's', 1, to_timestamp($2::float8 / 1000))
       on conflict (gateway, spool) do update set clock = excluded.clock`,
      [this.name, at],
    );
  }

  deliveries(): DeliverLine[] {
    return this.lines.filter((l): l is DeliverLine => l.type === 'deliver');
  }

  /** Waits for so many deliveries in all; the last of them. */
  async delivered(count: number): Promise<DeliverLine> {
    while (this.deliveries().length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.deliveries()[count - 1]!;
  }
}

export const sentEvent = (line: DeliverLine): UnnumberedEvent => ({ ...about(line), type: 'sent' });

export const answerEvent = ({ imei, conn }: DeliverLine, over: object = {}): UnnumberedEvent =>
  ({ type: 'answer', at: systemClock.now(), imei, conn, outcome: 'done', text: 'OK', ...over }) as UnnumberedEvent;

const about = ({ commandId, attempt, imei, conn }: DeliverLine) => ({
  commandId,
  attempt,
  imei,
  conn,
  at: systemClock.now(),
});

/** A device that is connected through a gateway of its own. */
export async function openOnline(world: DispatchWorld, engine: DispatchEngine, protocol?: string) {
  const device = await world.device();
  const gateway = await new FakeGateway(world, engine).open();
  const conn = await gateway.connect(device, protocol);
  return { device, gateway, conn };
}

/** Makes what is in flight overdue, as an hour would. */
export async function ageInFlight(
  { database }: DispatchWorld,
  deviceId: number,
  seen = "sent_at + interval '1 second'",
): Promise<void> {
  await database.ingest.query(
    `update command set deadline = now() - interval '1 hour', sent_at = sent_at - interval '2 hours' where device_id = $1 and state in ('sending', 'sent')`,
    [deviceId],
  );
  await database.ingest.query(
    `update session set seen_at = coalesce((select ${seen} from command where device_id = $1 and state = 'sent'), seen_at) where device_id = $1`,
    [deviceId],
  );
}
