import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import createClient, { type Client } from 'openapi-fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { typesOf } from '../../../../tools/openapi-types/generate.mjs';
import { API_KEY } from '../../../support/api.ts';
import {
  type ExampleAnswer,
  type ExampleCall,
  payloadOf,
  readDocument,
  requestExamples,
} from '../../../support/example-calls.ts';
import { type CommandWorld, openCommands } from '../commands/support.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

// below node_modules, so that the program finds openapi-fetch
const cache = join(root, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'typescript-client-'));

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands({ diagnostics: true });
});
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const OPTIONS = {
  strict: true,
  noEmit: true,
  module: 'nodenext',
  target: 'es2023',
  types: ['node'],
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
};

/** A call of the generated client for one operation. What is not JSON is text or bytes, and no literal. */
function statementOf(call: ExampleCall, i: number): string {
  const { method, template, pathParameters, query, mediaType, body } = call;
  const parts = [
    ...(Object.keys(pathParameters).length > 0 ? [`path: ${JSON.stringify(pathParameters)}`] : []),
    ...(Object.keys(query).length > 0 ? [`query: ${JSON.stringify(query)}`] : []),
  ];
  const isForm = mediaType === 'multipart/form-data';
  const given = mediaType === 'application/json' || typeof body === 'string' ? JSON.stringify(body) : '""';
  const members = [
    ...(parts.length > 0 ? [`params: { ${parts.join(', ')} }`] : []),
    ...(mediaType === undefined ? [] : [`body: ${isForm ? '{ file: "" }' : given}`]),
  ];
  const init = members.length > 0 ? `, { ${members.join(', ')} }` : '';
  return `export const call${i} = () => client.${method}(${JSON.stringify(template)}${init});`;
}

const program = (calls: readonly ExampleCall[]): string => `
import createClient from 'openapi-fetch';
import type { paths } from './fleetgate.d.ts';

const client = createClient<paths>();
const { data, error } = await client.GET('/v1/vehicles', { params: { query: { limit: 10 } } });
if (error !== undefined) throw new Error(error.detail);
export const plates: string[] = data.items.map(({ targa }) => targa);
${calls.map(statementOf).join('\n')}
`;

type Untyped = Client<Record<string, Record<string, object>>>;

async function send(client: Untyped, call: ExampleCall): Promise<ExampleAnswer> {
  const { method, template, pathParameters, query, token, mediaType, body } = call;
  const closing = new AbortController();
  const isJson = mediaType === 'application/json';
  const { data, error, response } = await client.request(
    method.toLowerCase() as 'get',
    template as never,
    {
      params: { path: pathParameters, query },
      parseAs: call.isStream ? 'stream' : 'text',
      signal: closing.signal,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(mediaType === undefined || mediaType.startsWith('multipart/') ? {} : { 'content-type': mediaType }),
      },
      ...(mediaType === undefined ? {} : { body: isJson ? body : {} }),
      ...(mediaType === undefined || isJson ? {} : { bodySerializer: () => payloadOf(call) }),
    } as never,
  );
  if (call.isStream) closing.abort();
  const text = error === undefined ? String(data) : JSON.stringify(error);
  return { status: response.status, text: call.isStream ? '' : text };
}

test('a client of openapi-typescript and openapi-fetch compiles and calls every operation', async () => {
  const calls = new Map<string, ExampleCall>();
  const client = createClient({ baseUrl: world.api.url }) as unknown as Untyped;
  const unexpected = await requestExamples(world.api, API_KEY, (call) => {
    calls.set(call.name, call);
    return send(client, call);
  });
  expect(unexpected).toEqual([]);
  const operations = Object.values(readDocument().paths).flatMap((methods) => Object.keys(methods));
  expect(calls.size).toBe(operations.length);

  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['program.ts'] }));
  writeFileSync(join(folder, 'fleetgate.d.ts'), await typesOf(readDocument()));
  writeFileSync(join(folder, 'program.ts'), program([...calls.values()]));
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(status, stdout).toBe(0);
}, 180_000);
