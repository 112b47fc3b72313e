import { EventEmitter, once } from 'node:events';
import { startDispatch } from '../../../../src/apps/dispatch.ts';
import type { DownlinkLine } from '../../../../src/contract/events.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import type { DispatchEngine } from '../../../../src/server/commands/dispatch/index.ts';
import { openDatabase } from '../../../../src/server/database/index.ts';
import { type ApiSettings, createKey, type SCOPES } from '../../../../src/server/index.ts';
import { type Answer, type RunningApi, silent, startApi } from '../../../support/api.ts';
import { createDatabase, dropDatabase } from '../../../support/databases.ts';
import { testSettings } from '../../../support/settings.ts';

export interface CommandWorld {
  readonly api: RunningApi;
  readonly engine: DispatchEngine;
  readonly databaseUrl: string;
  /** bearer header of a key with these scopes, of another tenant where one is named */
  key(scopes: readonly (typeof SCOPES)[number][], tenant?: string): Promise<{ authorization: string }>;
  /** an id that no test has used, of a registered device */
  device(options?: object, headers?: Record<string, string>): Promise<string>;
  enqueue(body: object, headers?: Record<string, string>, query?: string): Promise<Answer>;
  /** a gateway whose stream this process holds */
  gateway(): Promise<FakeGateway>;
  /** the device has so many open commands */
  fill(imei: string, count: number): Promise<void>;
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** number of commands that there are */
  commands(): Promise<number>;
  stop(): Promise<void>;
}

export async function openCommands(over: Partial<ApiSettings> = {}): Promise<CommandWorld> {
  const databaseUrl = await createDatabase();
  const database = await openDatabase({ url: databaseUrl, log: silent });
  const { engine, ...parts } = await startDispatch(database, silent, testSettings(over));
  const api = await startApi(databaseUrl, over, parts);
  let devices = 0;
  const sql = async (text: string, values: unknown[] = []) => (await database.ingest.query(text, values)).rows;
  return {
    api,
    engine,
    databaseUrl,
    sql,
    async key(scopes, tenant = 'default') {
      const tenantId = await database.tenantId(tenant);
      const { key } = await createKey(database.ingest, { tenantId, name: 'test', scopes });
      return { authorization: `Bearer ${key}` };
    },
    async device(options = {}, headers = {}) {
      const imei = String(++devices).padStart(15, '0');
      const made = await api.send('POST', '/v1/devices', { imei, options }, headers);
      if (made.status !== 200) throw new Error(JSON.stringify(made.body));
      return imei;
    },
    enqueue: (body, headers = {}, query = '') => api.send('POST', `/v1/gprsCommands/${query}`, body, headers),
    async fill(imei, count) {
      await sql(
        `insert into command (id, tenant_id, device_id, priority, type, params, text, encoding, once, max_attempts, ticket,
           ttl_ms, expires_at, answer_ms, created_by)
         select 'cmd_' || md5(random()::text), d.tenant_id, d.id, 5, 'custom', '{"data":"x"}', 'x', 'text', false, 3, 0,
           86400000, now() + interval '1 day', 60000, 'test'
         from device d, generate_series(1, $2::int) where d.imei = $1`,
        [imei, count],
      );
    },
    gateway: () => FakeGateway.open(api, engine),
    commands: async () => Number((await sql('select count(*)::int as n from command'))[0]!['n']),
    async stop() {
      await api.stop();
      await engine.stop();
      await database.close();
      await dropDatabase(databaseUrl);
    },
  };
}

export type DeliverLine = Extract<DownlinkLine, { type: 'deliver' }>;

let gateways = 0;

/** A gateway as the API sees it: a stream that takes deliveries, presence, events with numbers of its own. */
export class FakeGateway {
  readonly name = `gw-${++gateways}`;
  readonly lines: DeliverLine[] = [];
  readonly #api: RunningApi;
  readonly #heard = new EventEmitter();
  readonly #connections: object[] = [];
  #seq = 0;
  #taken = 0;
  close: () => void = () => {};

  constructor(api: RunningApi) {
    this.#api = api;
  }

  static async open(api: RunningApi, engine: DispatchEngine): Promise<FakeGateway> {
    const gateway = new FakeGateway(api);
    await gateway.presence();
    gateway.close = await engine.open(gateway.name, (line) => {
      if (line.type !== 'deliver') return;
      gateway.lines.push(line);
      gateway.#heard.emit('line');
    });
    return gateway;
  }

  async presence(): Promise<void> {
    const body = { clock: systemClock.now(), connections: this.#connections };
    const held = await this.#api.send('POST', '/v1/internal/presence', body, await this.#api.gateway(this.name));
    if (held.status !== 200) throw new Error(JSON.stringify(held.body));
  }

  async report(...lines: object[]): Promise<void> {
    const at = systemClock.now();
    const numbered = lines.map((line) => ({ seq: ++this.#seq, at, ...line }));
    const answer = await this.#api.events(numbered, `spool-${this.name}`, this.name);
    if (answer.status !== 200 || answer.body.rejected.length > 0) throw new Error(JSON.stringify(answer.body));
  }

  async connect(imei: string, protocol = 'teltonika'): Promise<string> {
    const conn = `run.${imei}`;
    const since = systemClock.now();
    this.#connections.push({ conn, imei, protocol, transport: 'tcp', remote: 'test', since });
    await this.report({ type: 'session-opened', imei, conn, ids: [imei], protocol, transport: 'tcp', remote: 'test' });
    await this.presence();
    return conn;
  }

  async disconnect(imei: string): Promise<void> {
    await this.report({ type: 'session-closed', imei, conn: `run.${imei}`, reason: 'test' });
  }

  /** the next delivery that has not been taken yet */
  async next(): Promise<DeliverLine> {
    while (this.lines.length === this.#taken) await once(this.#heard, 'line');
    return this.lines[this.#taken++]!;
  }

  async sent({ commandId, attempt, imei, conn }: DeliverLine): Promise<void> {
    await this.report({ type: 'sent', commandId, attempt, imei, conn });
  }

  async answer({ imei, conn }: DeliverLine, over: object = {}): Promise<void> {
    await this.report({ type: 'answer', imei, conn, outcome: 'done', text: 'OK', ...over });
  }
}
