import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../support/ports.ts';
import { startTestServer } from '../support/postgres.ts';
import { type Part, part } from '../support/processes.ts';
import { type Figure, median } from './figure.ts';
import type { LoadSettings } from './teltonika-load.ts';

const ROUNDS = 3;
const DEVICES = 100;
const SECONDS = 10;
/** before each measurement: a line has been as it is for a while */
const SETTLE_SECONDS = 3;
/** positions a second, over all devices */
const RATE = Number(process.env['DISTANT_RATE'] ?? 5_000);
const PER_PACKET = 10;
const START = Date.now() - 30 * 60_000;
/** ms of each direction, and percent of the packets */
const NEAR = '0 0';
const FAR = `150 ${process.env['DISTANT_LOSS'] ?? '0.1'}`;
const LONGEST_SECONDS = 120;

/**
 * A gateway in a network namespace of its own, whose packets to the API take 150 ms in each direction and get lost: positions
 * a second that are stored at a steady rate of the devices, in rounds with and without that alternately.
 */
export async function run(): Promise<Figure[]> {
  const network = await openNetwork();
  if (typeof network === 'string') return [{ name: 'distant', value: `left out: ${network}` }];
  const folder = mkdtempSync(join(tmpdir(), 'fleetgate-distant-'));
  const server = await startTestServer({});
  const parts: Part[] = [];
  try {
    const shared = { AUTO_REGISTER: 'true', LOG_LEVEL: 'warn' };
    const api = await part({
      ...shared,
      ROLE: 'api',
      HOST: '0.0.0.0',
      DATABASE_URL: await server.database(),
      DATA_DIR: join(folder, 'api'),
    });
    parts.push(api);
    await api.start();
    const devicePort = await freePort();
    const gateway = await part(
      {
        ...shared,
        ROLE: 'gateway',
        HOST: '0.0.0.0',
        API_URL: `http://${network.near}:${new URL(api.url).port}`,
        DATA_DIR: join(folder, 'gateway'),
        AUTO_PORT: String(devicePort),
      },
      { command: network.inside, host: network.far },
    );
    parts.push(gateway);
    await gateway.start();
    let rounds = 0;
    const measure = async (seconds = SECONDS): Promise<number> => {
      const before = await api.metric('fleetgate_positions_stored_total');
      const began = performance.now();
      const settings: LoadSettings = {
        port: devicePort,
        devices: DEVICES,
        seconds,
        rate: RATE / PER_PACKET,
        first: 1,
        startAt: START + rounds++ * 180_000,
      };
      const [program, ...args] = [...network.inside, process.execPath, join(import.meta.dirname, 'distant-load.js')];
      const { stdout } = await promisify(execFile)(program!, [...args, JSON.stringify(settings)]);
      const { acknowledged } = JSON.parse(stdout) as { acknowledged: number };
      for (;;) {
        const stored = (await api.metric('fleetgate_positions_stored_total')) - before;
        const passed = (performance.now() - began) / 1_000;
        if (stored >= acknowledged) return stored / passed;
        if (passed > LONGEST_SECONDS) throw new Error(`${stored} of ${acknowledged} are stored after ${passed} s`);
        await wait(20);
      }
    };
    await measure();
    const pairs = [];
    for (let round = 0; round < ROUNDS; round++) {
      await network.set(NEAR);
      await measure(SETTLE_SECONDS);
      const near = await measure();
      await network.set(FAR);
      await measure(SETTLE_SECONDS);
      pairs.push({ near, far: await measure() });
    }
    const ratio = 100 * median(pairs.map(({ near, far }) => far / near));
    const text = (value: number): string => `${Math.round(value).toLocaleString('en')} a second`;
    return [
      { name: `distant: devices send ${RATE} positions a second for ${SECONDS} s`, value: network.kind },
      { name: 'distant: stored without latency', value: text(median(pairs.map(({ near }) => near))) },
      {
        name: `distant: stored with 300 ms and ${FAR.split(' ')[1]} % loss`,
        value: text(median(pairs.map(({ far }) => far))),
      },
      {
        name: 'distant: ratio',
        value: `${ratio.toFixed(1)} %`,
        measurements: [{ key: 'ofNear', value: ratio, unit: '%', wanted: { atLeast: 80 } }],
      },
    ];
  } finally {
    for (const each of parts.reverse()) await each.kill();
    await network.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Network {
  readonly kind: string;
  readonly near: string;
  readonly far: string;
  /** what a program is started with to run at the far side */
  readonly inside: readonly string[];
  set(conditions: string): Promise<void>;
  close(): Promise<void>;
}

/** Or why there is none. */
async function openNetwork(): Promise<Network | string> {
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const namespace = `fg${process.pid % 100_000}`;
  const made = spawnSync('ip', ['netns', 'add', namespace], { encoding: 'utf8' });
  if (made.status !== 0) return `no network namespace: ${made.error?.message ?? made.stderr.trim()}`;
  const inside = ['ip', 'netns', 'exec', namespace];
  const removeNamespace = (): void => void spawnSync('ip', ['netns', 'del', namespace]);
  const [near, far] = ['10.213.0.1', '10.213.0.2'];
  if (!existsSync('/dev/net/tun') || spawnSync('python3', ['--version']).status !== 0) {
    removeNamespace();
    return 'the network is made by python3 with /dev/net/tun';
  }
  const script = ['../../../test/bench/far-network.py', './far-network.py']
    .map((path) => join(import.meta.dirname, path))
    .find((path) => existsSync(path))!;
  const child: ChildProcess = spawn('python3', [script, namespace, near, far], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const expectLine = async (): Promise<void> => {
    if ((await lines.next()).done === true) throw new Error('the network could not be made');
  };
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    removeNamespace();
  };
  try {
    await expectLine();
  } catch (error) {
    await close();
    return (error as Error).message;
  }
  return {
    kind: 'latency and loss by TUN devices',
    near,
    far,
    inside,
    async set(conditions) {
      child.stdin!.write(`${conditions}\n`);
      await expectLine();
    },
    close,
  };
}
