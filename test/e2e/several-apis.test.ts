import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/postgres.ts';
import { freePort, type System } from '../support/system.ts';
import { expectAllStored, Trackers } from '../support/trackers.ts';

const ENTRY = join(import.meta.dirname, '..', '..', 'dist', 'src', 'apps', 'main.js');
const KEY = 'key-of-several-apis';

interface Part {
  readonly url: string;
  start(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
  metric(name: string): Promise<number>;
}

let server: TestServer;
let folder: string;
let apis: Part[];
let gateway: Part;
/** what the trackers need of an installation */
let system: System;

async function part(settings: Record<string, string>): Promise<Part> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env['PATH'],
    PORT: String(port),
    INTERNAL_KEY: 'internal-key-of-several-apis',
    SECRETS_KEY: 'a key of several APIs, of 32 characters or more',
    API_KEY: KEY,
    LOG_LEVEL: 'error',
    RATE_LIMIT: '0',
    METRICS_PUBLIC: 'true',
    ...settings,
  };
  let child: ChildProcess;
  return {
    url,
    async start() {
      child = spawn(process.execPath, [ENTRY], { env, stdio: ['ignore', 'ignore', 'inherit'] });
      while ((await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) {
        if (child.exitCode !== null) throw new Error(`${settings['ROLE']} ended with ${child.exitCode}`);
        await sleep(50);
      }
    },
    signal: (signal) => void child.kill(signal),
    async kill() {
      if (child?.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    async metric(name) {
      const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
      const values = lines.filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
      return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
  };
}

beforeAll(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-several-'));
  const DATABASE_URL = await server.database();
  apis = [];
  for (const name of ['one', 'two']) {
    const api = await part({ ROLE: 'api', DATABASE_URL, DATA_DIR: join(folder, name), AUTO_REGISTER: 'true' });
    apis.push(api);
    await api.start();
  }
  const devicePort = await freePort();
  gateway = await part({
    ROLE: 'gateway',
    API_URL: apis.map(({ url }) => url).join(', '),
    DATA_DIR: join(folder, 'gateway'),
    AUTO_PORT: String(devicePort),
    AUTO_REGISTER: 'true',
  });
  await gateway.start();
  system = {
    devicePort,
    metric: gateway.metric,
    async get<T>(path: string) {
      const answers = apis.map(async ({ url }) => {
        const answer = await fetch(url + path, { headers: { authorization: `Bearer ${KEY}` } });
        if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
        return (await answer.json()) as T;
      });
      return Promise.any(answers);
    },
  } as System;
}, 120_000);
afterAll(async () => {
  for (const each of [gateway, ...(apis ?? [])]) await each?.kill();
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

/** Devices report meanwhile; each acknowledged position is stored once. */
async function underLoad(first: number, work: (trackers: Trackers) => Promise<void>): Promise<void> {
  const trackers = await Trackers.start(system, 6, first);
  try {
    await trackers.progress(50);
    await work(trackers);
    await trackers.progress(50);
    await trackers.settle();
    await expectAllStored(system, trackers);
  } finally {
    trackers.stop();
  }
}

describe('a gateway with two APIs', () => {
  it('goes on with the other one where one was killed', { timeout: 120_000 }, async () => {
    for (const [n, api] of apis.entries()) {
      await underLoad(700_000 + 100 * n, () => api.kill());
      await api.start();
    }
  });

  it('leaves one that does not answer; what that one does later stores nothing twice', {
    timeout: 120_000,
  }, async () => {
    for (const [n, api] of apis.entries()) {
      await underLoad(710_000 + 100 * n, async (trackers) => {
        api.signal('SIGSTOP');
        // all that is acknowledged arrives by the other one
        await trackers.progress(50);
        while ((await gateway.metric('fleetgate_spool_lag_seconds')) > 0.5) await sleep(50);
        api.signal('SIGCONT');
      });
    }
  });
});
