// `npm run conformance -- <id>`: the conformance rules over one folder of protocols/, and nothing else.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const id = process.argv[2] ?? '';
if (!/^[a-z][a-z0-9]*$/.test(id) || !existsSync(join(root, 'protocols', id, 'index.ts'))) {
  process.stderr.write(`npm run conformance -- <id>: there is no protocols/${id}/index.ts\n`);
  process.exit(1);
}
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const args = [vitest, 'run', 'test/conformance/conformance.test.ts', '--reporter=verbose'];
const env = { ...process.env, CONFORMANCE_PROTOCOL: id };
process.exit(spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status ?? 1);
