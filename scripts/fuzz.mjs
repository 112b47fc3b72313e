// `npm run fuzz -- [--frames N] [--seed N] [--protocol id,…]`: damaged frames of every protocol through the driver.
// `npm run fuzz -- ddd [folder] [--roots folder] [--changes N] [--cut-every N] [--judge-every N] [--only name]`:
// tachograph downloads of a folder, or of our own encoder, cut at every length and changed at random.
// `npm run fuzz -- commands [--hours N] [--seed N]`: operations of devices, services and processes against dispatch.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const run = (args, env = process.env) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status ?? 1;

if (process.argv[2] === 'ddd') {
  const built = run([join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.bench.json']);
  const main = join(root, 'dist', 'test', 'fuzz', 'ddd', 'main.js');
  process.exit(built === 0 ? run([main, ...process.argv.slice(3)]) : built);
}
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
if (process.argv[2] === 'commands') {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { hours: { type: 'string', default: '1' }, seed: { type: 'string' } },
  });
  const seed = values.seed === undefined ? {} : { FUZZ_SEED: values.seed };
  const env = { ...process.env, FUZZ_HOURS: values.hours, ...seed };
  process.exit(run([vitest, 'run', 'test/integration/dispatch/model', '--disable-console-intercept'], env));
}
const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    protocol: { type: 'string', default: '' },
  },
});
const env = { ...process.env, FUZZ_FRAMES: values.frames, FUZZ_SEED: values.seed, FUZZ_PROTOCOLS: values.protocol };
process.exit(run([vitest, 'run', 'test/fuzz/fuzz.test.ts', '--disable-console-intercept'], env));
