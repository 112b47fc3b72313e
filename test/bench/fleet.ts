import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../support/ports.ts';
import { startTestServer } from '../support/postgres.ts';
import { type Part, part } from '../support/processes.ts';
import type { Figure } from './figure.ts';
import type { FleetCounts, FleetPart } from './fleet-child.ts';

/** `FLEET_DEVICES=100000 npm run bench -- fleet`: needs about 10 GB of memory for that. */
const DEVICES = Number(process.env['FLEET_DEVICES'] ?? 10_000);
const STEADY_SECONDS = Number(process.env['FLEET_SECONDS'] ?? 60);
/** A process has a file for each connection: where too few are allowed there are more than four of each. */
const PROCESSES = Math.max(4, Math.ceil(DEVICES / (mostFiles() - 1_000)));
const GATEWAYS = PROCESSES;
const GENERATORS = PROCESSES;
/** between two reports of the fleet */
const STEP_MS = 1_000;
const START = Date.now() - 45 * 60_000;
const EVERY_MS = 60_000;
/** connections that all devices begin in a second at first */
const PER_SECOND = 4_000;
/** of one source address: there are 28,000 ports for each */
const PER_ADDRESS = 5_000;
const LONGEST_SECONDS = 240;

/**
 * Devices that are connected to four gateways or more, each with a report a minute: what the processes use, whether all that was
 * acknowledged is stored, and what becomes of the API when all gateways are killed and all devices connect again at once.
 */
export async function run(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetgate-fleet-'));
  const server = await startTestServer({});
  const url = await server.database();
  const database = new pg.Client({ connectionString: url, options: '-c search_path=fleetgate' });
  await database.connect();
  const shared = { AUTO_REGISTER: 'true', LOG_LEVEL: 'warn' };
  const api = await part({ ...shared, ROLE: 'api', DATABASE_URL: url, DATA_DIR: join(folder, 'api') });
  const gateways: Part[] = [];
  let fleet: Fleet | undefined;
  try {
    await api.start();
    const ports: number[] = [];
    for (let n = 0; n < GATEWAYS; n++) {
      const port = await freePort();
      ports.push(port);
      const own = {
        ROLE: 'gateway',
        API_URL: api.url,
        DATA_DIR: join(folder, `gateway-${n}`),
        AUTO_PORT: String(port),
      };
      gateways.push(await part({ ...shared, ...own }));
    }
    await Promise.all(gateways.map((gateway) => gateway.start()));
    fleet = await Fleet.start(ports);
    return await measure({ api, gateways, fleet, database, cpuOfDatabase: () => server.cpuSeconds() });
  } finally {
    fleet?.stop();
    await Promise.all([api, ...gateways].map((each) => each.kill()));
    await database.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  readonly api: Part;
  readonly gateways: readonly Part[];
  readonly fleet: Fleet;
  readonly database: pg.Client;
  readonly cpuOfDatabase: () => number;
}

async function measure({ api, gateways, fleet, database, cpuOfDatabase }: Measured): Promise<Figure[]> {
  const say = (text: string): void => void process.stderr.write(`fleet: ${text}\n`);
  const cpu = () => ({
    gateways: gateways.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
    api: cpuOf(api.pid),
    database: cpuOfDatabase(),
  });
  const idle = gateways.reduce((sum, { pid }) => sum + memoryOf(pid), 0);
  const connecting = await fleet.admitted();
  say(`${DEVICES} devices are connected after ${connecting.toFixed(1)} s`);
  // each device is registered with its first report
  fleet.send('report');
  await fleet.acknowledged(DEVICES);
  await spoolsAreEmpty(gateways);
  say('each device has reported once');
  const memory = gateways.map(({ pid }) => memoryOf(pid));
  const before = { cpu: cpu(), acknowledged: (await fleet.counts()).acknowledged, bytes: await sizeOf(database) };
  await wait(1_000 * STEADY_SECONDS);
  const after = { cpu: cpu(), acknowledged: (await fleet.counts()).acknowledged };
  const positions = after.acknowledged - before.acknowledged;
  say(`${positions} positions in ${STEADY_SECONDS} s`);
  const costs = (['gateways', 'api', 'database'] as const).map(
    (name) => [name, ((after.cpu[name] - before.cpu[name]) * 1e6) / positions] as const,
  );
  const share = (name: keyof ReturnType<typeof cpu>): string =>
    `${((100 * (after.cpu[name] - before.cpu[name])) / STEADY_SECONDS).toFixed(0)} %`;
  const memoryOfApi = memoryOf(api.pid);
  const bytes = ((await sizeOf(database)) - before.bytes) / positions;

  const storm = await reconnect(api, gateways, fleet, say);
  fleet.send('rest');
  await fleet.settled();
  await spoolsAreEmpty(gateways);
  const { acknowledged, unanswered } = await fleet.counts();
  // what was sent and not acknowledged when the gateways were killed may be stored too
  const { rows } = await database.query<{ stored: number }>(
    'select count(*)::int as stored from position where not fix_time = any($1::timestamptz[])',
    [unanswered.map((time) => new Date(time))],
  );
  const difference = Math.abs(acknowledged - rows[0]!.stored);
  const MB = (value: number): string => `${(value / 1e6).toFixed(0)} MB`;
  const perConnection = (memory.reduce((a, b) => a + b, 0) - idle) / DEVICES;
  return [
    {
      name: `${DEVICES} devices connect to ${GATEWAYS} gateways, ${PER_SECOND} a second`,
      value: `${connecting.toFixed(1)} s`,
      measurements: [{ key: 'connected', value: connecting, unit: 's' }],
    },
    {
      name: 'memory of the gateways, together',
      value: `${MB(memory.reduce((a, b) => a + b, 0))}, ${(perConnection / 1e3).toFixed(1)} kB a connection; API ${MB(memoryOfApi)}`,
      measurements: [{ key: 'connection', value: perConnection, unit: 'bytes' }],
    },
    {
      name: `one report a minute: ${Math.round(positions / STEADY_SECONDS)} positions a second, CPU`,
      value: `gateways ${share('gateways')}, API ${share('api')}, PostgreSQL ${share('database')}`,
      measurements: costs.map(([key, value]) => ({ key, value, unit: 's per million' })),
    },
    {
      name: 'CPU of a million positions',
      value: costs.map(([name, value]) => `${name} ${value.toFixed(0)} s`).join(', '),
    },
    { name: 'disk of a million positions, with feed and indexes', value: MB(bytes * 1e6) },
    {
      name: 'all gateways are killed: all devices are admitted again within',
      value: `${storm.seconds.toFixed(1)} s (${storm.lost} connections lost, ${storm.refused} refused)`,
      measurements: [{ key: 'reconnected', value: storm.seconds, unit: 's' }],
    },
    {
      name: 'meanwhile the API answers /readyz',
      value: `${storm.answers} times, ${storm.failures} failures, p99 ${storm.p99.toFixed(0)} ms, longest ${storm.longest.toFixed(0)} ms`,
      measurements: [
        { key: 'unready', value: storm.failures, unit: 'answers', wanted: { atMost: 0 } },
        { key: 'readyLongest', value: storm.longest, unit: 'ms', wanted: { atMost: 5_000 } },
      ],
    },
    {
      name: 'acknowledged / stored',
      value: `${acknowledged} / ${rows[0]!.stored}`,
      measurements: [{ key: 'difference', value: difference, unit: 'positions', wanted: { atMost: 0 } }],
    },
  ];
}

async function reconnect(api: Part, gateways: readonly Part[], fleet: Fleet, say: (text: string) => void) {
  const before = await fleet.counts();
  let isOver = false;
  const times: number[] = [];
  let failures = 0;
  const watch = (async (): Promise<void> => {
    while (!isOver) {
      const asked = performance.now();
      const answer = await fetch(`${api.url}/readyz`).catch(() => undefined);
      if (answer?.status !== 200) failures++;
      await answer?.arrayBuffer();
      times.push(performance.now() - asked);
      await wait(50);
    }
  })();
  await Promise.all(gateways.map((gateway) => gateway.kill()));
  await fleet.disconnected();
  say('all gateways were killed');
  const began = performance.now();
  await Promise.all(gateways.map((gateway) => gateway.start()));
  say(`gateways are ready again after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  await fleet.admitted();
  const seconds = (performance.now() - began) / 1_000;
  await spoolsAreEmpty(gateways);
  isOver = true;
  await watch;
  times.sort((a, b) => a - b);
  const { lost, refused } = await fleet.counts();
  return {
    seconds,
    lost: lost - before.lost,
    refused: refused - before.refused,
    answers: times.length,
    failures,
    p99: times[Math.floor(0.99 * (times.length - 1))]!,
    longest: times.at(-1)!,
  };
}

async function spoolsAreEmpty(gateways: readonly Part[]): Promise<void> {
  for (const gateway of gateways) while ((await gateway.metric('fleetgate_spool_lag_seconds')) > 2) await wait(200);
}

/** Devices in processes of their own. */
class Fleet {
  readonly #children: ChildProcess[] = [];

  static async start(ports: readonly number[]): Promise<Fleet> {
    const fleet = new Fleet();
    const count = Math.ceil(DEVICES / GENERATORS);
    const addresses = Math.ceil(count / PER_ADDRESS);
    for (let n = 0; n < GENERATORS; n++) {
      const child = fork(join(import.meta.dirname, 'fleet-child.js'));
      const given: FleetPart = {
        ports,
        addresses: Array.from({ length: addresses }, (_, at) => `127.0.0.${10 + n * addresses + at}`),
        first: 1 + n * count,
        count: Math.min(count, DEVICES - n * count),
        everyMs: EVERY_MS,
        perSecond: PER_SECOND / GENERATORS,
        startAt: START + n * STEP_MS,
        stepMs: GENERATORS * STEP_MS,
      };
      child.send(given);
      fleet.#children.push(child);
    }
    return fleet;
  }

  send(message: 'report' | 'rest'): void {
    for (const child of this.#children) child.send(message);
  }

  async counts(): Promise<FleetCounts> {
    const all = await Promise.all(
      this.#children.map(async (child) => {
        const answer = once(child, 'message');
        child.send('count');
        return (await answer)[0] as FleetCounts;
      }),
    );
    return all.reduce((sum, each) => ({
      admitted: sum.admitted + each.admitted,
      acknowledged: sum.acknowledged + each.acknowledged,
      outstanding: sum.outstanding + each.outstanding,
      lost: sum.lost + each.lost,
      refused: sum.refused + each.refused,
      unanswered: [...sum.unanswered, ...each.unanswered],
    }));
  }

  /** Seconds until all are. */
  admitted = (): Promise<number> => this.#until(({ admitted }) => admitted >= DEVICES);
  disconnected = (): Promise<number> => this.#until(({ admitted }) => admitted === 0);
  settled = (): Promise<number> => this.#until(({ outstanding }) => outstanding === 0);
  acknowledged = (wanted: number): Promise<number> => this.#until(({ acknowledged }) => acknowledged >= wanted);

  async #until(holds: (counts: FleetCounts) => boolean): Promise<number> {
    const began = performance.now();
    for (;;) {
      const counts = await this.counts();
      const seconds = (performance.now() - began) / 1_000;
      if (holds(counts)) return seconds;
      if (seconds > LONGEST_SECONDS) throw new Error(`not within ${LONGEST_SECONDS} s: ${JSON.stringify(counts)}`);
      await wait(200);
    }
  }

  stop(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}

function mostFiles(): number {
  return Number(/Max open files +\d+ +(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
}

const sizeOf = async (database: pg.Client): Promise<number> =>
  Number((await database.query('select pg_database_size(current_database()) as bytes')).rows[0].bytes);

const statOf = (pid: number): number[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
};
/** user and system time, s */
const cpuOf = (pid: number): number => (statOf(pid)[11]! + statOf(pid)[12]!) / 100;
/** resident, bytes */
const memoryOf = (pid: number): number =>
  1_024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
