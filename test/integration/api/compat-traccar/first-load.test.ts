import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { positionEvent } from '../../../support/positions.ts';

const PASSWORD = 'correct horse battery';
const SESSIONS = 4;
/** longer than a client of the pool is waited for */
const PAUSE_MS = 6_000;
/** what the web application asks for when it opens */
const PATHS = [
  'session',
  'server',
  'devices',
  'geofences',
  'groups',
  'drivers',
  'maintenance',
  'calendars',
  'attributes/computed',
  'notifications',
  'positions',
  'users',
  'commands',
  'notifications/types',
  'commands/types',
];

/** Passes bytes to the database, until it is paused: then the database answers nobody, as if it were frozen. */
class Line {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#pass(client));
  readonly #port: number;
  #isPaused = false;

  constructor(port: number) {
    this.#port = port;
  }
  async open(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }
  #pass(client: Socket): void {
    const database = connect(this.#port, '127.0.0.1');
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => to.write(bytes));
      if (this.#isPaused) from.pause();
    }
  }
  pause(): void {
    this.#isPaused = true;
    for (const socket of this.#sockets) socket.pause();
  }
  resume(): void {
    this.#isPaused = false;
    for (const socket of this.#sockets) socket.resume();
  }
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

interface Answer {
  readonly path: string;
  readonly status: number;
  readonly retryAfter: string | null;
}

let api: RunningApi;
let url: URL;
let cookies: string[];

const read = async (at: RunningApi, path: string, cookie: string): Promise<Answer> => {
  const answer = await fetch(`${at.url}/api/${path}`, { headers: { cookie } });
  await answer.arrayBuffer();
  return { path, status: answer.status, retryAfter: answer.headers.get('retry-after') };
};

/** Answers with 101 once it has the newest positions. */
async function subscribe(at: RunningApi, cookie: string): Promise<Answer> {
  const socket = new WebSocket(`${at.url.replace('http', 'ws')}/api/socket`, { headers: { cookie } });
  const answer = await new Promise<Answer>((resolve) => {
    socket.on('error', () => {});
    socket.once('message', () => resolve({ path: 'socket', status: 101, retryAfter: null }));
    socket.once('close', (code) => resolve({ path: 'socket', status: code, retryAfter: null }));
    socket.once('unexpected-response', (_request, { statusCode, headers }) =>
      resolve({ path: 'socket', status: statusCode!, retryAfter: headers['retry-after'] ?? null }),
    );
  });
  socket.terminate();
  return answer;
}

/** Everything at once, in all sessions. */
const load = async (at: RunningApi, see: (answer: Answer) => void = () => {}): Promise<Answer[]> => {
  const asked = cookies.flatMap((cookie) => [...PATHS.map((path) => read(at, path, cookie)), subscribe(at, cookie)]);
  return Promise.all(
    asked.map(async (each) => {
      see(await each);
      return each;
    }),
  );
};
const refused = (answers: readonly Answer[]): Answer[] =>
  answers.filter(({ status }) => status !== 200 && status !== 101);

beforeAll(async () => {
  url = await withDatabase(async (text) => new URL(text));
  // the limit of requests is the default one
  api = await startApi(url.href, { COMPAT_TRACCAR: true, RATE_LIMIT: 600 });
  const imeis = Array.from({ length: 20 }, (_, n) => String(860000000000100 + n));
  for (const [n, imei] of imeis.entries()) {
    await api.send('POST', '/v1/devices', { imei });
    if (n % 4 === 0) continue;
    await api.send('POST', '/v1/vehicles', { targa: `LOAD${n}` });
    await api.send('POST', '/v1/pairings', { targa: `LOAD${n}`, imei });
  }
  await api.events(imeis.map((imei) => positionEvent(imei, 1)));
  cookies = [];
  for (let n = 0; n < SESSIONS; n++) {
    const email = `boss${n}@example.org`;
    await api.send('POST', '/v1/users', { username: `boss${n}`, role: 'admin', password: PASSWORD, email });
    const login = await fetch(`${api.url}/api/session`, {
      method: 'POST',
      body: new URLSearchParams({ email, password: PASSWORD }),
    });
    expect(login.status).toBe(200);
    cookies.push(login.headers.get('set-cookie')!.split(';', 1)[0]!);
  }
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

test('four sessions at once are answered', async () => {
  const answers = await load(api);
  expect(answers).toHaveLength(SESSIONS * (PATHS.length + 1));
  expect(refused(answers)).toEqual([]);
});

test('requests that waited while the process had no processor time are answered', async () => {
  const answers = load(api);
  const { app, ingest } = api.database;
  await expect.poll(() => app.waitingCount + ingest.waitingCount, { interval: 1 }).toBeGreaterThan(0);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  expect(refused(await answers)).toEqual([]);
});

test('while the database does not answer, responses have status 503 and Retry-After', async () => {
  const line = new Line(Number(url.port));
  const through = Object.assign(new URL(url), { port: String(await line.open()) });
  const other = await startApi(through.href, { COMPAT_TRACCAR: true });
  try {
    expect(refused(await load(other))).toEqual([]);
    line.pause();
    const seen: Answer[] = [];
    const answers = load(other, (answer) => seen.push(answer));
    // statements that have been sent wait for the database, others for a free connection
    await expect.poll(() => refused(seen).map(({ path }) => path), { timeout: 60_000 }).toContain('socket');
    line.resume();
    const failed = refused(await answers);
    expect(failed.length).toBeGreaterThan(SESSIONS);
    for (const answer of failed) expect(answer).toMatchObject({ status: 503, retryAfter: '1' });
    expect(refused(await load(other))).toEqual([]);
  } finally {
    await other.stop();
    line.close();
  }
});

test('a client that leaves before it has the newest positions ends nothing but itself', async () => {
  const [cookie] = cookies;
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', note);
  // each leaves a little later than the one before
  for (let steps = 0; steps < 40; steps++) {
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}/api/socket`, { headers: { cookie: cookie! } });
    socket.on('error', () => {});
    await once(socket, 'open');
    for (let n = 0; n < steps; n++) await new Promise((resolve) => setImmediate(resolve));
    socket.terminate();
  }
  expect(await subscribe(api, cookie!)).toMatchObject({ status: 101 });
  process.off('uncaughtException', note);
  expect(uncaught).toEqual([]);
});
