// Writes client/fleetgate.ts, the typed client of the REST API, from docs/openapi.json.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateApi } from 'swagger-typescript-api';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const text = readFileSync(join(root, 'docs', 'openapi.json'), 'utf8');

const { files } = await generateApi({
  spec: JSON.parse(text),
  output: false,
  fileName: 'fleetgate.ts',
  apiClassName: 'Fleetgate',
  httpClientType: 'fetch',
  generateUnionEnums: true,
  moduleNameFirstTag: true,
  unwrapResponseData: false,
  sortTypes: true,
  silent: true,
});
const head = [
  // the generator writes for browsers and plainer compilers; whoever imports it has its types all the same
  '// @ts-nocheck',
  '// The typed client of the REST API, written by `npm run openapi`: do not change it by hand.',
  `// docs/openapi.json, sha256 ${createHash('sha256').update(text).digest('hex')}`,
];
mkdirSync(join(root, 'client'), { recursive: true });
writeFileSync(join(root, 'client', 'fleetgate.ts'), `${head.join('\n')}\n${files[0].fileContent}`);
