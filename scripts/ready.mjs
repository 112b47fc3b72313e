// Makes a checkout ready: installs what the lock file names, builds what has changed. Says nothing on stdout.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const say = (text) => process.stderr.write(`${text}\n`);

function run(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (result.status !== 0) {
    say(`fleetgate: ${[command, ...args].join(' ')} failed`);
    process.exit(result.status ?? 1);
  }
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  say(`fleetgate: Node ${process.versions.node} is too old; it needs 20.19 or later`);
  process.exit(1);
}

function installed() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules', '.fleetgate-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('fleetgate: installing dependencies …');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const clean = spawnSync('npm', ['ci', ...quiet], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (clean.status !== 0) {
    // a registry mirror may lack packages of other platforms; the versions are still those of the lock file
    say(`fleetgate: npm ci failed (${clean.stderr?.split('\n', 1)[0] ?? clean.error?.message}); trying npm install …`);
    run('npm', ['install', '--no-save', ...quiet]);
  }
  writeFileSync(stamp, wanted);
}

function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) latest = Math.max(latest, statSync(path).mtimeMs, newest(path));
    else latest = Math.max(latest, statSync(path).mtimeMs);
  }
  return latest;
}

function built() {
  const stamp = join(root, 'dist', '.built');
  const sources = Math.max(
    newest(join(root, 'src')),
    newest(join(root, 'protocols')),
    statSync(join(root, 'tsconfig.build.json')).mtimeMs,
    statSync(join(root, 'package-lock.json')).mtimeMs,
  );
  if (existsSync(stamp) && statSync(stamp).mtimeMs > sources) return;
  say('fleetgate: building …');
  // Built beside and swapped in: what was deleted does not live on, and a running process is not left without files.
  const next = join(root, `.dist-${process.pid}`);
  const old = `${next}-old`;
  run(process.execPath, [
    join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    'tsconfig.build.json',
    '--outDir',
    next,
  ]);
  copyData(join(root, 'protocols'), join(next, 'protocols'));
  copyData(join(root, 'src'), join(next, 'src'));
  writeFileSync(join(next, '.built'), '');
  // the console is built on its own
  const web = join(root, 'dist', 'web');
  if (existsSync(web)) cpSync(web, join(next, 'web'), { recursive: true, preserveTimestamps: true });
  if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), old);
  renameSync(next, join(root, 'dist'));
  rmSync(old, { recursive: true, force: true });
}

/** The application that the API serves under /console. */
function consoleBuilt() {
  const stamp = join(root, 'dist', 'web', '.built');
  const sources = Math.max(
    newest(join(root, 'web')),
    newest(join(root, 'src', 'track')),
    statSync(join(root, 'package-lock.json')).mtimeMs,
  );
  if (existsSync(stamp) && statSync(stamp).mtimeMs > sources) return;
  say('fleetgate: building the console …');
  const next = join(root, `.dist-web-${process.pid}`);
  const old = `${next}-old`;
  run(process.execPath, [
    join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    'web',
    '--logLevel=error',
    '--outDir',
    next,
    '--emptyOutDir',
  ]);
  for (const name of readdirSync(join(next, 'assets'))) {
    const path = join(next, 'assets', name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
  writeFileSync(join(next, '.built'), '');
  if (existsSync(join(root, 'dist', 'web'))) renameSync(join(root, 'dist', 'web'), old);
  renameSync(next, join(root, 'dist', 'web'));
  rmSync(old, { recursive: true, force: true });
}

/** What runs beside the code and is not TypeScript: SQL, tables, fixtures stay where the sources are. */
function copyData(from, to) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      if (entry.name !== 'fixtures') copyData(join(from, entry.name), join(to, entry.name));
    } else if (/\.(sql|json|html|css|js|svg)$/.test(entry.name)) {
      mkdirSync(to, { recursive: true });
      copyFileSync(join(from, entry.name), join(to, entry.name));
    }
  }
}

installed();
built();
consoleBuilt();
