// `npm run screenshots [-- <folder>]`: pictures of the console with simulated devices, by its test in a browser.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = resolve(process.argv[2] ?? join(root, 'data', 'screenshots'));
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/e2e/console.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CONSOLE_PICTURES: folder },
});
process.stdout.write(`${folder}\n`);
process.exitCode = status ?? 1;
