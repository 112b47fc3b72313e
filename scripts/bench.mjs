// `npm run bench [-- name …]`: builds the benchmarks beside the sources and runs each in a process of its own.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const all = [
  'decode',
  'spool',
  'ingest-api',
  'ingest',
  'outstanding',
  'idle',
  'reconnect',
  'dispatch',
  'movement',
  'rules',
  'live',
  'vehicle-position',
  'login-flood',
  'authentication',
  'ddd',
  'tachograph',
];
// takes minutes: only where it is asked for
const long = ['dispatch-flat', 'dispatch-million'];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => ![...all, ...long].includes(name));
if (unknown.length > 0) {
  console.error(`no benchmark is called ${unknown.join(', ')}; there are ${[...all, ...long].join(', ')}`);
  process.exit(1);
}
const run = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status;
if (run([join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.bench.json']) !== 0) process.exit(1);
let failed = 0;
for (const name of wanted.length > 0 ? wanted : all) {
  if (run(['--expose-gc', join(root, 'dist', 'test', 'bench', 'main.js'), name]) !== 0) {
    console.error(`benchmark ${name} failed`);
    failed++;
  }
}
process.exit(failed === 0 ? 0 : 1);
