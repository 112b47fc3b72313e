// `npm run fuzz -- [--frames N] [--seed N] [--protocol id,…]`: damaged frames of every protocol through the driver.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    protocol: { type: 'string', default: '' },
  },
});
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/fuzz', '--disable-console-intercept'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FUZZ_FRAMES: values.frames, FUZZ_SEED: values.seed, FUZZ_PROTOCOLS: values.protocol },
});
process.exit(status ?? 1);
