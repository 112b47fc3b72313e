// `npm run conformance -- <id>`: the conformance rules over one folder of protocols/, from the sources. Nothing is built
// and no other protocol is loaded, since this runs after each change of a protocol.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const id = process.argv[2] ?? '';
if (!/^[a-z][a-z0-9]*$/.test(id) || !existsSync(join(root, 'protocols', id, 'index.ts'))) {
  process.stderr.write(`npm run conformance -- <id>: there is no protocols/${id}/index.ts\n`);
  process.exit(1);
}
process.env.CONFORMANCE_PROTOCOL = id;
const { module } = await runnerImport(join(root, 'test', 'conformance', 'run.ts'), {
  root,
  configFile: false,
  envDir: false,
  logLevel: 'error',
  ssr: { resolve: { conditions: ['fleetgate-source', 'node'] } },
});
process.exit(module.passed ? 0 : 1);
