import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../support/command-line.ts';
import { freePort } from '../support/ports.ts';
import { removeDataDir } from '../support/postgres.ts';
import { needs } from '../support/programs.ts';
import { isWhole } from '../support/ready.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const CHECKOUT = [
  'package.json',
  'package-lock.json',
  'tsconfig.build.json',
  'scripts',
  'src',
  'protocols',
  'web',
  'dist',
];
const NOBODY = 65_534;
const KEY = 'key-of-an-odd-environment';
const isRoot = process.geteuid?.() === 0;

/**
 * A checkout whose path has spaces and letters beyond ASCII, that its user may not write to. The user, who has no home,
 * runs it by `npm start`.
 */
describe.skipIf(process.platform !== 'linux')('a checkout in an odd place', () => {
  let folder: string;
  let checkout: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetgate-odd-'));
    chmodSync(folder, 0o755);
    checkout = join(folder, "Flotte Müller & Söhne's");
    copyCheckout(checkout);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each(['20', '22', '24'] as const)('with Node.js %s', (version) => {
    const node = needs(`node-${version}`);

    test.skipIf(node === undefined)('runs by npm start: a position and a command', async () => {
      const programs = join(folder, `node-${version}`);
      mkdirSync(programs);
      symlinkSync(node!, join(programs, 'node'));
      const dataDir = join(folder, `Daten für Node ${version}`);
      const env = { PATH: `${programs}:${process.env['PATH']}` };
      expect(execFileSync('node', ['--version'], { env, encoding: 'utf8' })).toMatch(new RegExp(`^v${version}\\.`));
      await runs(checkout, dataDir, env);
      expect(ambiguous(dataDir)).toEqual([]);
      removeDataDir(dataDir);
    });
  });
});

/** Starts the server of a checkout, lets a device report and answer, and stops it. */
async function runs(checkout: string, dataDir: string, env: Readonly<Record<string, string>>): Promise<void> {
  mkdirSync(dataDir, { mode: 0o700 });
  if (isRoot) chownSync(dataDir, NOBODY, NOBODY);
  const [port, devicePort] = [await freePort(), await freePort()];
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(port),
    AUTO_PORT: String(devicePort),
    API_KEY: KEY,
    LOG_LEVEL: 'warn',
  };
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    env: { HOME: '/nonexistent', ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  let said = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk) => {
      said += chunk;
    });
  }
  try {
    const url = `http://127.0.0.1:${port}`;
    while (!(await isWhole(url))) {
      if (child.exitCode !== null) throw new Error(`it ended: ${said}`);
      await wait(100);
    }
    const probe = await runCommand(['probe', '--once', '--timeout', '60', '--api', url, '--port', String(devicePort)], {
      API_KEY: KEY,
    });
    expect(probe.code, probe.stdout + probe.stderr + said).toBe(0);
    if (isRoot) expect(spawnSync('find', [checkout, '-user', String(NOBODY)], { encoding: 'utf8' }).stdout).toBe('');
  } finally {
    await terminated(child);
  }
}

async function terminated(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

/** With hard links where the disk is the same: packages and their binaries lie in this folder, and are not linked to. */
function copyCheckout(checkout: string): void {
  mkdirSync(checkout);
  for (const name of CHECKOUT) cpSync(name, join(checkout, name), { recursive: true, preserveTimestamps: true });
  // copied folders are newer than what was built from them
  const now = new Date();
  for (const stamp of ['dist/.built', 'dist/web/.built']) utimesSync(join(checkout, stamp), now, now);
  const linked = spawnSync('cp', ['-al', resolve('node_modules'), checkout]);
  if (linked.status !== 0) execFileSync('cp', ['-a', resolve('node_modules'), checkout]);
}

/** Files below a folder whose names another file has in other case: macOS and Windows have room for one of them. */
function ambiguous(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const seen = new Set<string>();
  return names.filter((name) => {
    const count = seen.size;
    return seen.add(name.toLowerCase()).size === count;
  });
}
