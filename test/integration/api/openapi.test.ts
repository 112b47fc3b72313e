import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../../src/apps/version.ts';
import { errorTable } from '../../../src/platform/errors.ts';
import { type CommandWorld, openCommands } from './commands/support.ts';

const root = join(import.meta.dirname, '..', '..', '..');

interface Content {
  readonly schema?: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Answer {
  readonly $ref?: string;
  readonly content?: Record<string, Content>;
}
interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: unknown;
  readonly parameters?: readonly (Content & { readonly name: string; readonly in: string })[];
  readonly requestBody?: { readonly content: Record<string, Content> };
  readonly responses: Record<string, Answer>;
}

let world: CommandWorld;
// biome-ignore lint/suspicious/noExplicitAny: a document
let document: any;
let operations: readonly (readonly [string, Operation])[];
beforeAll(async () => {
  world = await openCommands();
  document = (await world.api.get('/openapi.json')).body;
  document.info.version = VERSION;
  operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
});
afterAll(() => world?.stop());

/** An answer that stands once for many operations. */
function resolve(response: Answer): Answer {
  const { $ref: ref } = response;
  return ref === undefined ? response : document.components.responses[ref.split('/').at(-1)!];
}

describe('the document', () => {
  test('is the same as in docs/', async () => {
    const text = `${JSON.stringify(document, null, 1)}\n`;
    await expect(text, 'npm run openapi writes it').toMatchFileSnapshot(join(root, 'docs', 'openapi.json'));
  });

  test('has no schema with a member that generated setters of another one are named like', () => {
    for (const [name, { properties = {} }] of Object.entries<{ properties?: object }>(document.components.schemas)) {
      const members = new Set(Object.keys(properties));
      const setters = [...members].map((member) => `set${member[0]!.toUpperCase()}${member.slice(1)}`);
      expect(
        setters.filter((setter) => members.has(setter)),
        name,
      ).toEqual([]);
    }
  });

  // openapi-generator writes Java that does not compile for them
  test('has no map of several types of values that may be null', () => {
    const isMap = (schema: { additionalProperties?: { anyOf?: unknown } }) =>
      schema.additionalProperties?.anyOf !== undefined;
    const found: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { anyOf } = value as { anyOf?: readonly object[] };
      if (anyOf?.some(isMap) === true) found.push(path);
      for (const [key, inner] of Object.entries(value)) look(inner, `${path}/${key}`);
    };
    look(document, '');
    expect(found).toEqual([]);
  });

  test('describes each operation, its input and its answers', () => {
    for (const [name, { summary, tags, parameters = [], responses }] of operations) {
      expect(summary, name).toBeTruthy();
      expect(tags, name).toHaveLength(1);
      const named = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => `{${parameter.name}}`);
      expect(named.sort(), name).toEqual((name.match(/\{\w+\}/g) ?? []).sort());
      expect(Object.values(responses['200']?.content ?? {}).length, `${name}: 200`).toBeGreaterThan(0);
      const problems = Object.entries(responses).filter(([status]) => /^[45]/.test(status));
      expect(problems.length, name).toBeGreaterThan(6);
      for (const [status, response] of problems) {
        expect(Object.keys(resolve(response).content ?? {}), `${name}: ${status}`).toEqual([
          'application/problem+json',
        ]);
      }
    }
  });

  test('lists every error code', () => {
    const documented = JSON.stringify(operations.map(([, { responses }]) => Object.values(responses).map(resolve)));
    // no operation of the document answers them: the interface of Traccar is not in it
    const elsewhere = ['method-not-allowed', 'not-implemented'];
    for (const code of Object.keys(errorTable)) {
      if (!elsewhere.includes(code)) expect(documented, code).toContain(`\`${code}\``);
    }
  });

  test('lists the error codes of each operation, and no others', () => {
    const codesOf = (name: string): string[] => {
      const [, { responses }] = operations.find(([each]) => each === name)!;
      const contents = Object.values(responses).map((each) => resolve(each).content?.['application/problem+json']);
      return contents.flatMap((content) => Object.keys(content?.examples ?? {})).sort();
    };
    expect(codesOf('GET /v1/vehicles/{imei}/position')).toEqual(
      [
        'headers-too-large',
        'internal',
        'invalid',
        'malformed',
        'missing-scope',
        'no-position-yet',
        'not-acceptable',
        'not-found',
        'rate-limited',
        'request-timeout',
        'unauthorized',
        'unavailable',
        'unknown-device',
      ].sort(),
    );
    expect(codesOf('POST /v1/auth/credentials')).toContain('locked');
    expect(codesOf('POST /v1/auth/credentials')).not.toContain('unauthorized');
    expect(codesOf('GET /v1/groups')).not.toContain('idempotency-key-reused');
  });

  test('has examples of every request and answer that match their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', components: document.components });
    const local = (schema: object): object =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
    const checks = new Map<string, ReturnType<typeof ajv.compile>>();
    const wrong: string[] = [];
    for (const [name, { requestBody, responses, parameters = [] }] of operations) {
      const contents = [
        ...Object.values(requestBody?.content ?? {}),
        ...Object.values(responses).flatMap((each) => Object.values(resolve(each).content ?? {})),
        ...parameters.filter((parameter) => parameter.in === 'path'),
      ];
      for (const { schema, example, examples } of contents) {
        const text = JSON.stringify(schema);
        const check = checks.get(text) ?? ajv.compile(local(schema!));
        checks.set(text, check);
        const given = examples === undefined ? [example] : Object.values(examples).map(({ value }) => value);
        for (const each of given) {
          if (!check(each)) wrong.push(`${name}: ${JSON.stringify(each)} ${ajv.errorsText(check.errors)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
