// Writes the types of the REST API, for openapi-fetch and others, from docs/openapi.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** TypeScript declarations of `paths`, `operations` and `components`. */
export async function typesOf(document) {
  return astToString(await openapiTS(document, { alphabetize: true, defaultNonNullable: false }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = process.argv[2] ?? join(root, 'dist', 'client', 'fleetgate.d.ts');
  const document = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, await typesOf(document));
  process.stdout.write(`${target}\n`);
}
