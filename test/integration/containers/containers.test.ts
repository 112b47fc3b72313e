import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { SimulatedDevice, simulatedImei } from '../../../src/simulation/index.ts';
import { runCommand } from '../../support/command-line.ts';
import { freePort } from '../../support/ports.ts';
import { needs } from '../../support/programs.ts';
import { isWhole } from '../../support/ready.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const RELEASE = resolve('test/integration/cli/releases/0.1.0/database.gz');
const SECRETS = ['postgres_password', 'database_url', 'internal_key', 'api_key', 'admin_password', 'metrics_token'];
/** Health is asked for more often, so that a test need not wait; a crowded machine takes minutes to migrate. */
const PATIENT = { interval: '3s', timeout: '30s', retries: 20, start_period: '240s' };
/** of an installation of 0.1.0 */
const VEHICLE = '/v1/vehicles/AB123CD';

describe.skipIf(needs('container-engine') === undefined)('containers', () => {
  const engine = needs('container-engine')!;
  const project = `fleetgate-test-${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), 'fleetgate-compose-'));
  const override = join(folder, 'override.yml');
  let apiPort: number;
  let devicePort: number;
  let key: string;

  const compose = async (...args: readonly string[]): Promise<string> => {
    const files = ['-p', project, '-f', resolve('docker-compose.yml'), '-f', override];
    const { stdout } = await promisify(execFile)(engine, ['compose', ...files, ...args], { maxBuffer: 64 << 20 });
    return stdout;
  };
  const up = (...services: readonly string[]): Promise<string> =>
    compose('up', '-d', '--no-build', '--wait', '--wait-timeout', '240', ...services);
  const request = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${apiPort}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  const run = (...args: readonly string[]): string =>
    execFileSync(engine, ['run', '--rm', ...args], { encoding: 'utf8' }).trim();
  const bytesOf = (image: string): number =>
    Number(execFileSync(engine, ['image', 'inspect', '--format', '{{.Size}}', image], { encoding: 'utf8' }));

  /** Registers a device that no other test uses. */
  let devices = 0;
  const register = async (): Promise<string> => {
    const imei = simulatedImei(7_000 + ++devices);
    expect((await request('POST', '/v1/devices', { imei })).status).toBe(200);
    return imei;
  };
  /** Resolves when the gateway has acknowledged one position; the time of the position. */
  const reports = async (imei: string, transport: 'tcp' | 'udp'): Promise<number> => {
    // CalAmp is a protocol of datagrams
    const { simulator } = (await loadCatalogue()).byId(transport === 'udp' ? 'calamp' : 'teltonika')!;
    const time = Math.floor(systemClock.now() / 1_000) * 1_000;
    const settings = {
      simulator,
      transport,
      host: '127.0.0.1',
      port: devicePort,
      answer: 'ack',
      slowAnswerMs: 0,
    } as const;
    let device: SimulatedDevice | undefined;
    await new Promise<void>((acknowledged) => {
      device = new SimulatedDevice({ id: imei, ...settings }, { acknowledged: () => acknowledged() }, systemClock);
      device.start();
      device.report([{ time, latitude: 45.46, longitude: 9.19, speed: 0, course: 0, ignition: false }]);
    });
    device!.stop();
    return time;
  };
  /** Resolves when the API has the position. */
  const stored = async (imei: string, time: number): Promise<void> => {
    for (;;) {
      const answer = await request('GET', `/v1/devices/${imei}/positions?from=${time}&to=${time + 1}`);
      if (answer.ok && ((await answer.json()) as { items: unknown[] }).items.length === 1) return;
      await wait(100);
    }
  };
  /** A device reports, the API shows it, and its command is answered. */
  const probes = async (imei: string): Promise<void> => {
    const url = `http://127.0.0.1:${apiPort}`;
    const args = ['probe', '--once', '--timeout', '60', '--api', url, '--port', String(devicePort), '--device', imei];
    const { code, stdout, stderr } = await runCommand(args, { API_KEY: key });
    expect(code, stdout + stderr).toBe(0);
  };

  beforeAll(async () => {
    [apiPort, devicePort] = [await freePort(), await freePort()];
    execFileSync(process.execPath, ['scripts/secrets.mjs', join(folder, 'secrets')]);
    key = readFileSync(join(folder, 'secrets', 'api_key'), 'utf8').trim();
    // ports, secrets and names of this test
    const image = { image: 'fleetgate-test', healthcheck: PATIENT };
    const own = {
      services: {
        api: { ...image, ports: [`127.0.0.1:${apiPort}:8080`] },
        gateway: { ...image, ports: [`127.0.0.1:${devicePort}:5300/tcp`, `127.0.0.1:${devicePort}:5300/udp`] },
      },
      secrets: Object.fromEntries(SECRETS.map((name) => [name, { file: join(folder, 'secrets', name) }])),
    };
    // JSON is YAML, but for the tag that replaces a list
    writeFileSync(override, JSON.stringify(own, null, 1).replaceAll('"ports": [', '"ports": !override ['));
    await compose('build', 'api');
    execFileSync(engine, ['build', '--quiet', '--tag', 'fleetgate-test-all', '.'], { stdio: 'ignore' });
  }, 600_000);
  afterAll(async () => {
    await compose('--profile', 'all', 'down', '--volumes', '--timeout', '10').catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  });

  test('the image says what it can do, has the command in its PATH, and runs without root', () => {
    expect(run('fleetgate-test', '--help')).toContain('doctor');
    expect(run('--entrypoint', 'fleetgate', 'fleetgate-test', 'encode', '--help')).toContain('--jsonl');
    expect(run('--entrypoint', 'id', 'fleetgate-test', '-u')).not.toBe('0');
  });

  // DuckDB takes 71 MB, PostgreSQL 57 MB, encryption of backups 3 MB, assistants 1 MB
  test('the image of API and gateway adds at most 134 MB to its base, the one with PostgreSQL 192 MB', () => {
    const base = bytesOf('node:24-slim');
    expect(bytesOf('fleetgate-test') - base).toBeLessThan(134_000_000);
    expect(bytesOf('fleetgate-test-all') - base).toBeLessThan(192_000_000);
  });

  test('the image without PostgreSQL asks for DATABASE_URL', () => {
    const { status, stderr, stdout } = spawnSync(engine, ['run', '--rm', 'fleetgate-test', 'serve'], {
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stderr + stdout).toContain('Set DATABASE_URL');
  });

  test('the image with PostgreSQL runs by itself, from a root that cannot be written', async () => {
    const port = await freePort();
    const name = `${project}-all`;
    const limits = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges:true'];
    run('--detach', '--init', '--name', name, ...limits, '--publish', `127.0.0.1:${port}:8080`, 'fleetgate-test-all');
    try {
      await vi.waitUntil(() => isWhole(`http://127.0.0.1:${port}`), { timeout: 240_000, interval: 500 });
    } finally {
      execFileSync(engine, ['rm', '--force', '--volumes', name], { stdio: 'ignore' });
    }
  });

  test('the image sizes the embedded database by the memory of the container', () => {
    const script =
      "const { availableMemory } = await import('/app/dist/src/platform/memory.js'); console.log(availableMemory());";
    const args = [
      '--memory',
      '512m',
      '--entrypoint',
      'node',
      'fleetgate-test-all',
      '--input-type=module',
      '--eval',
      script,
    ];
    expect(run(...args)).toBe(String(512 * 1_048_576));
  });

  test('the database of 0.1.0 is imported, upgraded by the new API, and answers as before', async () => {
    await up('postgres', 'redis');
    copyFileSync(RELEASE, join(folder, 'database.gz'));
    chmodSync(join(folder, 'database.gz'), 0o644);
    chmodSync(folder, 0o755);
    await compose(
      'run',
      '--rm',
      '-T',
      '--no-deps',
      '-v',
      `${folder}/database.gz:/tmp/database.gz:ro`,
      'api',
      'db',
      'import',
      '/tmp/database.gz',
    );
    await up();
    expect(await (await request('GET', VEHICLE)).json()).toMatchObject({
      targa: 'AB123CD',
      make: 'Fiat',
      group: 'Northern depot',
    });
  });

  test('positions by TCP and UDP are stored, and a command is answered', async () => {
    for (const transport of ['tcp', 'udp'] as const) {
      const imei = await register();
      await stored(imei, await reports(imei, transport));
    }
    await probes(await register());
  });

  test.each(['redis', 'postgres', 'api', 'gateway'])(
    '%s is killed, nothing acknowledged is lost, and it starts again',
    async (service) => {
      const imei = await register();
      await compose('kill', '--signal', 'SIGKILL', service);
      // without its API and the database a gateway accepts into its spool
      const time = service === 'gateway' ? undefined : await reports(imei, 'tcp');
      await up();
      await stored(imei, time ?? (await reports(imei, 'tcp')));
      await probes(imei);
    },
  );

  test('a process that crashes in its container is started again', async () => {
    const imei = await register();
    await compose('exec', '-T', 'gateway', 'bash', '-c', 'kill -9 $(cat /proc/1/task/1/children)').catch(
      () => undefined,
    );
    await stored(imei, await reports(imei, 'tcp'));
  });

  test('a backup of the running server brings back what was deleted since', async () => {
    await compose('exec', '-T', 'api', 'fleetgate', 'db', 'export', '/data/backup');
    expect((await request('DELETE', VEHICLE)).status).toBe(200);
    expect((await request('GET', VEHICLE)).status).toBe(404);
    await compose('stop', 'api', 'gateway');
    await compose('run', '--rm', '-T', '--no-deps', 'api', 'db', 'import', '--force', '/data/backup');
    await up();
    expect((await request('GET', VEHICLE)).status).toBe(200);
    await probes(await register());
  });

  test('down stops every service by itself, and removes what it made', async () => {
    await compose('stop');
    const states = await compose('ps', '--all', '--format', '{{.Service}} {{.ExitCode}}');
    expect(states.trim().split('\n').sort()).toEqual(['api 0', 'gateway 0', 'postgres 0', 'redis 0']);
    await compose('down', '--volumes');
    const left = ['volume', 'ls', '--quiet', '--filter', `label=com.docker.compose.project=${project}`];
    expect(execFileSync(engine, left, { encoding: 'utf8' })).toBe('');
  });
});
