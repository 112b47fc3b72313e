// `npm run bench [-- name …]`: builds the benchmarks beside the sources and runs each in a process of its own. It ends
// with 1 if a wanted figure is missed. `--json <file>` writes the figures of one, `--list` names them all.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

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
  'catalogue',
];
// takes minutes: runs only if it is named
const long = [
  'streams',
  'wait',
  'distant',
  'fleet',
  'console',
  'dispatch-flat',
  'dispatch-million',
  'movement-year',
  'history',
];
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, list: { type: 'boolean' } },
});
if (values.list) {
  for (const name of [...all, ...long]) console.log(name);
  process.exit(0);
}
const unknown = positionals.filter((name) => ![...all, ...long].includes(name));
if (unknown.length > 0) {
  console.error(`no benchmark is called ${unknown.join(', ')}; there are ${[...all, ...long].join(', ')}`);
  process.exit(1);
}
if (values.json !== undefined && positionals.length !== 1) {
  console.error('--json takes the figures of one benchmark: npm run bench -- <name> --json <file>');
  process.exit(1);
}
const report = values.json === undefined ? [] : [resolve(values.json)];
const run = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status;
if (run([join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.bench.json']) !== 0) process.exit(1);
let failed = 0;
for (const name of positionals.length > 0 ? positionals : all) {
  if (run(['--expose-gc', join(root, 'dist', 'test', 'bench', 'main.js'), name, ...report]) !== 0) {
    console.error(`benchmark ${name} failed`);
    failed++;
  }
}
process.exit(failed === 0 ? 0 : 1);
