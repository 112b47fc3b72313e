import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { typesOf } from '../../../../tools/openapi-types/generate.mjs';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const document: unknown = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8'));

// below node_modules, so that the program finds openapi-fetch
const cache = join(root, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'typescript-client-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './fleetgate.d.ts';

const client = createClient<paths>({ baseUrl: process.argv[2]!, headers: { authorization: 'Bearer ' + process.argv[3]! } });
const { data, error } = await client.GET('/v1/vehicles', { params: { query: { limit: 10 } } });
if (error !== undefined) throw new Error(error.detail);
const plates: string[] = data.items.map(({ targa }) => targa);
console.log(plates.join());
`;

const OPTIONS = {
  strict: true,
  noEmit: false,
  outDir: 'out',
  rootDir: '.',
  module: 'nodenext',
  target: 'es2023',
  types: ['node'],
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  rewriteRelativeImportExtensions: true,
};

test('a program that uses the generated types compiles', async () => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['program.ts'] }));
  writeFileSync(join(folder, 'fleetgate.d.ts'), await typesOf(document));
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(status, stdout).toBe(0);
}, 60_000);
