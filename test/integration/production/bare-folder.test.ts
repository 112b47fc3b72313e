import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../../src/server/database/embedded.ts';
import { removeDataDir } from '../../support/postgres.ts';
import { isWhole } from '../../support/ready.ts';

// Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/**
 * No container engine is needed for what an image holds: the entry point of the Dockerfile runs in a folder with the
 * built code and production dependencies, as a user who may write nothing but DATA_DIR.
 */
const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;
let folder: string;
let app: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-bare-'));
  chmodSync(folder, 0o755);
  app = join(folder, 'app');
  mkdirSync(app);
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'dist'])
    cpSync(name, join(app, name), { recursive: true });
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const clean = spawnSync('npm', ['ci', ...flags], { cwd: app });
  if (clean.status !== 0) execFileSync('npm', ['install', '--no-save', ...flags], { cwd: app, stdio: 'ignore' });
  execFileSync(process.execPath, [resolve('scripts/prune-production.mjs')], { cwd: app });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

function command(args: readonly string[], settings: Record<string, string>) {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const [program, ...entry] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)![1]!) as [string, ...string[]];
  expect(program).toBe('node');
  return { file: process.execPath, args: [...entry, ...args], env: { PATH: process.env['PATH'], ...settings } };
}

test('a production install contains no development dependencies', () => {
  expect(existsSync(join(app, 'node_modules', 'pg'))).toBe(true);
  for (const name of ['vitest', 'knip', '@biomejs', 'typescript', '@typescript'])
    expect(existsSync(join(app, 'node_modules', name))).toBe(false);
});

test('documents are written with the fonts that are left', () => {
  const script = `
    const { render } = await import('./dist/src/server/documents/index.js');
    const report = { title: 'Zażółć', sections: [] };
    for (const format of ['pdf', 'xlsx']) process.stdout.write(Buffer.from(await render(report, format)).subarray(0, 4));`;
  const args = ['--input-type=module', '--eval', script];
  expect(execFileSync(process.execPath, args, { cwd: app, encoding: 'latin1' })).toBe('%PDFPK\u0003\u0004');
});

test('the entry point answers, and reports invalid settings', () => {
  const help = command(['--help'], {});
  expect(execFileSync(help.file, help.args, { cwd: app, env: help.env, encoding: 'utf8', ...user })).toContain(
    'doctor',
  );
  const wrong = command(['serve'], { ROLE: 'gateway', PORT: 'x' });
  const { status, stderr } = spawnSync(wrong.file, wrong.args, { cwd: app, env: wrong.env, encoding: 'utf8', ...user });
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/PORT:/);
});

test('the server runs as a user who owns DATA_DIR only, and stops on SIGTERM', async () => {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  if (isRoot) chownSync(dataDir, NOBODY, NOBODY);
  const { file, args, env } = command(['serve'], { DATA_DIR: dataDir, PORT: '0', AUTO_PORT: String(await freePort()) });
  const child = spawn(file, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'], ...user });
  try {
    const url = await shownUrl(child);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await becomesReady(url);
    if (isRoot) expect(statSync(join(dataDir, 'postgres', 'data')).uid).toBe(NOBODY);
  } finally {
    await terminated(child);
  }
  expect(child.exitCode).toBe(0);
});

test.runIf(isRoot)(
  'root can run it in a folder that other users cannot enter, such as a /root of mode 0700',
  async () => {
    chmodSync(folder, 0o700);
    const dataDir = join(folder, 'data-of-root');
    // The API with its own database: what root cannot run itself.
    const { file, args, env } = command(['serve'], { DATA_DIR: dataDir, ROLE: 'api', PORT: '0' });
    const child = spawn(file, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      const url = await shownUrl(child);
      await becomesReady(url);
    } finally {
      await terminated(child);
      removeDataDir(dataDir);
      chmodSync(folder, 0o755);
    }
    expect(child.exitCode).toBe(0);
  },
);

test('the packed package is installed in an empty prefix, and its command runs', () => {
  const prefix = join(folder, 'prefix');
  const npm = (...args: readonly string[]): string => execFileSync('npm', args, { encoding: 'utf8' });
  const [{ filename }] = JSON.parse(npm('pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  npm('install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', '--prefer-offline', join(folder, filename));
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const dataDir = join(folder, 'data of the package, ünïcode');
  mkdirSync(dataDir, { mode: 0o700 });
  const run = (...args: readonly string[]) =>
    spawnSync(join(prefix, 'bin', 'fleetgate'), args, {
      cwd: folder,
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir, LOG_LEVEL: 'error' },
      encoding: 'utf8',
    });
  const upgraded = run('upgrade');
  expect(upgraded.stdout, upgraded.stderr).toMatch(new RegExp(`^Fleetgate ${version}: \\d+ migrations applied$`, 'm'));
  expect(run('upgrade', '--check').stdout).toBe(`The database is that of Fleetgate ${version}.\n`);
});

async function terminated(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

async function becomesReady(url: string): Promise<void> {
  while (!(await isWhole(url))) await wait(100);
}

/** The address of the REST API, once all is up. */
async function shownUrl(child: ChildProcess): Promise<string> {
  let said = '';
  let shown = '';
  child.stderr!.on('data', (chunk) => {
    said += chunk;
  });
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (chunk) => {
      shown += chunk;
      if (shown.includes('Press Ctrl-C to stop.')) resolve(/http:\/\/127\.0\.0\.1:\d+/.exec(shown)![0]);
    });
    child.once('close', () => reject(new Error(`it ended: ${said}`)));
  });
}
