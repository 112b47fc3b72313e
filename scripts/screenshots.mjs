// `npm run screenshots [-- <folder>]`: pictures of the console with simulated devices, by its tests in a browser. Those that
// the documents show are copied to docs/pictures.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = resolve(process.argv[2] ?? join(root, 'data', 'screenshots'));
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const tests = readdirSync(join(root, 'test', 'e2e')).filter((name) => /^console.*\.test\.ts$/.test(name));
const { status } = spawnSync(process.execPath, [vitest, 'run', ...tests.map((name) => join('test', 'e2e', name))], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CONSOLE_PICTURES: folder },
});
const shown = join(root, 'docs', 'pictures');
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => join('docs', name))];
const names = documents
  .filter((path) => path.endsWith('.md'))
  .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/pictures\/([\w-]+\.png)/g)])
  .map(([, name]) => name);
for (const name of new Set(names)) {
  const picture = join(folder, name);
  if (!existsSync(picture)) continue;
  mkdirSync(shown, { recursive: true });
  copyFileSync(picture, join(shown, name));
}
process.stdout.write(`${folder}\n`);
process.exitCode = status ?? 1;
