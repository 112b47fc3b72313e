import { type ApiSettings, createKey, type SCOPES } from '../../../../src/api/index.ts';
import { startDispatch } from '../../../../src/apps/dispatch.ts';
import type { DispatchEngine } from '../../../../src/dispatch/index.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { openDatabase } from '../../../../src/platform/postgres/index.ts';
import { type Answer, type RunningApi, silent, startApi } from '../../../support/api.ts';
import { startTestServer } from '../../../support/postgres.ts';

export interface CommandWorld {
  readonly api: RunningApi;
  readonly engine: DispatchEngine;
  readonly databaseUrl: string;
  /** bearer header of a key with these scopes, of another tenant where one is named */
  key(scopes: readonly (typeof SCOPES)[number][], tenant?: string): Promise<{ authorization: string }>;
  /** an id that no test has used, of a registered device */
  device(options?: object, headers?: Record<string, string>): Promise<string>;
  enqueue(body: object, headers?: Record<string, string>, query?: string): Promise<Answer>;
  /** the device's session is open on a gateway with a lease; nobody holds its stream */
  online(imei: string, protocol?: string): Promise<void>;
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** number of commands that there are */
  commands(): Promise<number>;
  stop(): Promise<void>;
}

export async function openCommands(over: Partial<ApiSettings> & { WAKE_UP_URL?: string } = {}): Promise<CommandWorld> {
  const server = await startTestServer();
  const databaseUrl = await server.database();
  const database = await openDatabase({ url: databaseUrl, log: silent });
  const { engine, ...parts } = await startDispatch(database, silent, over);
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
      const imei = `D${String(++devices).padStart(14, '0')}`;
      const made = await api.send('POST', '/v1/devices', { imei, options }, headers);
      if (made.status !== 200) throw new Error(JSON.stringify(made.body));
      return imei;
    },
    enqueue: (body, headers = {}, query = '') => api.send('POST', `/v1/gprsCommands/${query}`, body, headers),
    async online(imei, protocol = 'teltonika') {
      const at = systemClock.now();
      const connections = [{ conn: `c-${imei}`, imei, protocol, transport: 'tcp', remote: 'test', since: at }];
      await api.events(
        [
          {
            type: 'session-opened',
            at,
            imei,
            conn: `c-${imei}`,
            ids: [imei],
            protocol,
            transport: 'tcp',
            remote: 'test',
          },
        ],
        `spool-${imei}`,
        `gw-${imei}`,
      );
      const held = await api.send(
        'POST',
        '/v1/internal/presence',
        { clock: at, connections },
        await api.gateway(`gw-${imei}`),
      );
      if (held.status !== 200) throw new Error(JSON.stringify(held.body));
    },
    commands: async () => Number((await sql('select count(*)::int as n from command'))[0]!['n']),
    async stop() {
      await api.stop();
      await engine.stop();
      await database.close();
      await server.stop();
    },
  };
}
