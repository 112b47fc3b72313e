// Makes a checkout ready: installs what the lock file names, builds what has changed (not with `--no-build`). Says nothing
// on stdout.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

const changedAt = (path) => statSync(path).mtimeMs;
const newest = (folder) =>
  Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true, recursive: true }).map(({ parentPath, name }) =>
      changedAt(join(parentPath, name)),
    ),
  );
/** Does the folder hold what was built of sources as they are now? */
function isCurrent(folder, sources) {
  const stamp = join(folder, '.built');
  return existsSync(stamp) && changedAt(stamp) > Math.max(...sources, changedAt(join(root, 'package-lock.json')));
}

/** What was built beside is swapped in: no deleted file stays, and a running process is not left without files. */
function swapIn(next, folder) {
  writeFileSync(join(next, '.built'), '');
  const old = `${next}-old`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(next, folder);
  rmSync(old, { recursive: true, force: true });
}

function built() {
  const dist = join(root, 'dist');
  const sources = [newest(join(root, 'src')), newest(join(root, 'protocols'))];
  if (isCurrent(dist, [...sources, changedAt(join(root, 'tsconfig.build.json'))])) return;
  say('fleetgate: building …');
  const next = join(root, `.dist-${process.pid}`);
  run(process.execPath, [
    join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    'tsconfig.build.json',
    '--outDir',
    next,
  ]);
  copyData(join(root, 'protocols'), join(next, 'protocols'));
  copyData(join(root, 'src'), join(next, 'src'));
  // the console is built on its own
  const web = join(dist, 'web');
  if (existsSync(web)) cpSync(web, join(next, 'web'), { recursive: true, preserveTimestamps: true });
  swapIn(next, dist);
}

/** The application that the API serves under /console. */
function consoleBuilt() {
  const dist = join(root, 'dist', 'web');
  if (isCurrent(dist, [newest(join(root, 'web')), newest(join(root, 'src', 'geometry'))])) return;
  say('fleetgate: building the console …');
  const next = join(root, `.dist-web-${process.pid}`);
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
  swapIn(next, dist);
}

/** Copies files that are not TypeScript: SQL, tables, pages. */
const copyData = (from, to) =>
  cpSync(from, to, {
    recursive: true,
    filter: (path) =>
      statSync(path).isDirectory() ? basename(path) !== 'fixtures' : /\.(sql|json|html|css|js|svg)$/.test(path),
  });

installed();
if (!process.argv.includes('--no-build')) {
  built();
  consoleBuilt();
}
