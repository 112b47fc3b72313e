// `npm run lab [-- --minutes N --seed N --devices N --json <file>]`: builds the failure laboratory and runs it.
// `npm run lab -- streams [--positions N]` sends positions to brokers that fail. It ends with 1 if a promise was broken, and
// with 2 if programs that it needs are missing.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const run = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
if (run([join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.bench.json']) !== 0) process.exit(1);
const [first, ...others] = process.argv.slice(2);
const [file, args] = first === 'streams' ? ['streams.js', others] : ['main.js', process.argv.slice(2)];
process.exit(run([join(root, 'dist', 'test', 'lab', file), ...args]));
