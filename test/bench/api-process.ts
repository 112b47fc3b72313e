import { fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { childEnvironment } from '../../src/apps/config.ts';
import { API_KEY, assertion, INTERNAL_KEY, ndjson } from '../support/api.ts';
import { positionEvent } from '../support/positions.ts';

/** An API in a process of its own, as it runs in earnest. */
export interface ApiProcess {
  readonly url: string;
  stop(): Promise<void>;
}

export async function apiProcess(databaseUrl: string): Promise<ApiProcess> {
  const here = import.meta.filename;
  const root = join(import.meta.dirname, '..', '..');
  const main = here.endsWith('.ts') ? join(root, 'dist/src/apps/main.js') : join(root, 'src/apps/main.js');
  const child = fork(main, {
    env: {
      ...childEnvironment({}),
      ROLE: 'api',
      PORT: '0',
      DATA_DIR: tmpdir(),
      DATABASE_URL: databaseUrl,
      INTERNAL_KEY,
      API_KEY,
      ADMIN_PASSWORD: 'words of a benchmark',
      AUTO_REGISTER: 'true',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (message: { type: string; port: number }) => {
      if (message.type === 'ready') resolve(message.port);
    });
    child.once('exit', (code) => reject(new Error(`the API ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        child.removeAllListeners('exit').once('exit', () => resolve());
        child.send({ type: 'stop' });
      }),
  };
}

/** With the API key; throws where it is refused. */
export async function callApi(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await request(url + path, {
    method: method as 'GET',
    headers: {
      authorization: `Bearer ${API_KEY}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  return JSON.parse(text);
}

export async function gatewayToken(url: string): Promise<string> {
  const { body } = await request(`${url}/v1/auth/internal`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service: 'gateway', assertion: await assertion('bench') }),
  });
  return ((await body.json()) as { accessToken: string }).accessToken;
}

export interface PostedBatch {
  readonly spool: string;
  readonly text: string;
}

const SPOOLS = 2;

/** Positions of the last hour are stored as those of devices that are online. */
export const RECENT = Date.now() - 50 * 60_000;

/** Batches of positions, in order for each device; `first` batches have been before them. */
export function preparedBatches(size: {
  readonly first: number;
  readonly count: number;
  readonly devices: number;
  readonly rows: number;
}): PostedBatch[] {
  const { first, count, devices, rows } = size;
  return Array.from({ length: count }, (_, i) => {
    const batch = first + i;
    const turn = Math.floor(batch / SPOOLS);
    const lines = Array.from({ length: rows }, (_, n) => {
      const place = batch * rows + n;
      return {
        seq: turn * rows + n + 1,
        ...positionEvent(`35630704244${1_000 + (place % devices)}`, Math.floor(place / devices), {}, RECENT),
      };
    });
    return { spool: `spool-${batch % SPOOLS}`, text: ndjson(lines) };
  });
}

/** Each spool in its order, all at once. */
export async function postBatches(url: string, token: string, batches: readonly PostedBatch[]): Promise<void> {
  const spools = [...new Set(batches.map(({ spool }) => spool))];
  await Promise.all(
    spools.map(async (name) => {
      for (const { spool, text } of batches.filter((batch) => batch.spool === name)) {
        const { statusCode, body } = await request(`${url}/v1/internal/events?spool=${spool}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
          body: text,
        });
        const answer = (await body.json()) as { rejected: unknown[] };
        if (statusCode !== 200 || answer.rejected.length > 0) throw new Error(JSON.stringify(answer).slice(0, 1_000));
      }
    }),
  );
}
