import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers as the documentation of Traccar's REST API says, from records in memory. */
export interface FakeTraccar {
  readonly url: string;
  /** `GET /api/…` that it was asked, without what it refused */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

export interface TraccarRecords {
  readonly groups: readonly object[];
  readonly devices: readonly ({ readonly id: number } & Readonly<Record<string, unknown>>)[];
  readonly drivers: readonly object[];
  readonly geofences: readonly object[];
  readonly users: readonly object[];
  /** user → devices that were linked to the user */
  readonly permissions: Readonly<Record<number, readonly number[]>>;
}

export const TRACCAR_TOKEN = 'RzBFAiEA';
export const TRACCAR_USER = 'boss@example.org';
export const TRACCAR_PASSWORD = 'their own';

/** `mayAll`: who asks is an administrator or manager there. */
export async function startTraccar(records: TraccarRecords, mayAll = true): Promise<FakeTraccar> {
  const asked: string[] = [];
  const basic = `Basic ${Buffer.from(`${TRACCAR_USER}:${TRACCAR_PASSWORD}`).toString('base64')}`;
  const server = createServer(({ url = '', method, headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://traccar');
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (headers.authorization !== basic && headers.authorization !== `Bearer ${TRACCAR_TOKEN}`) return answer(401, {});
    const kind = pathname.replace('/api/', '') as keyof TraccarRecords;
    if (method !== 'GET' || kind === 'permissions' || !Object.hasOwn(records, kind)) return answer(404, {});
    if (searchParams.get('all') === 'true' && !mayAll) return answer(400, {});
    asked.push(url);
    const user = searchParams.get('userId');
    if (kind === 'devices' && user !== null) {
      const own = records.permissions[Number(user)] ?? [];
      return answer(
        200,
        records.devices.filter(({ id }) => own.includes(id)),
      );
    }
    return answer(200, records[kind]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
