import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandWorld, openCommands } from './support.ts';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}
interface OperationObject {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
type Path = readonly (string | number)[];

let world: CommandWorld;
let imei: string;
const operations: { readonly method: string; readonly url: string; readonly operation: OperationObject }[] = [];
beforeAll(async () => {
  world = await openCommands();
  imei = await world.device();
  const { commandId } = (await world.enqueue({ imei, gprsCommand: 'getinfo' })).body;
  const { paths } = (await world.api.get('/openapi.json')).body;
  for (const [path, methods] of Object.entries<Record<string, OperationObject>>(paths)) {
    if (!path.startsWith('/v1/gprsCommands')) continue;
    const url = path.replace('{imei}', imei).replace(/\{\w+\}/, commandId);
    for (const [method, operation] of Object.entries(methods)) operations.push({ method, url, operation });
  }
});
afterAll(() => world?.stop());

const UNKNOWN = 'noSuchMember';

/** A body that is valid apart from the query string. */
const bodyOf = (method: string, url: string): object | undefined => {
  if (method === 'put') return {};
  if (method !== 'post') return undefined;
  return { gprsCommand: 'getinfo', ...(/\/(?:batch|check)$/.test(url) ? { imeis: [imei] } : { imei }) };
};

/** Where objects of a schema are. */
function objectsIn(schema: Schema, at: Path = []): Path[] {
  const { properties, items, anyOf = [] } = schema;
  return [
    ...(properties === undefined ? [] : [at]),
    ...Object.entries(properties ?? {}).flatMap(([name, part]) => objectsIn(part, [...at, name])),
    ...(items === undefined ? [] : objectsIn(items, [...at, 0])),
    ...anyOf.flatMap((part) => objectsIn(part, at)),
  ];
}

/** A value with an unknown member at `path`. */
const valueWith = ([first, ...rest]: Path): unknown => {
  if (first === undefined) return { [UNKNOWN]: 1 };
  return typeof first === 'number' ? [valueWith(rest)] : { [first]: valueWith(rest) };
};

test('all operations of commands are in the document', () => {
  const bodies = operations.filter(({ operation }) => operation.requestBody !== undefined);
  expect([operations.length, bodies.length]).toEqual([13, 5]);
  const nested = bodies.flatMap(({ operation }) =>
    objectsIn(operation.requestBody!.content['application/json']!.schema),
  );
  expect(nested).toContainEqual(['conditions']);
});

describe('each operation refuses, by its name,', () => {
  test('a query parameter that it does not have', async () => {
    for (const { method, url } of operations) {
      const answer = await world.api.send(method.toUpperCase(), `${url}?${UNKNOWN}=1`, bodyOf(method, url));
      expect([method, url, answer.status]).toEqual([method, url, 422]);
      expect(answer.body.errors).toContainEqual({ pointer: `/${UNKNOWN}`, detail: 'unknown query parameter' });
    }
  });

  test('a query parameter in another spelling', async () => {
    for (const { method, url, operation } of operations) {
      for (const { name, in: place } of operation.parameters ?? []) {
        if (place !== 'query') continue;
        const answer = await world.api.send(
          method.toUpperCase(),
          `${url}?${name.toUpperCase()}=1`,
          bodyOf(method, url),
        );
        expect([method, url, answer.status]).toEqual([method, url, 422]);
        const problem = { pointer: `/${name.toUpperCase()}`, detail: 'unknown query parameter' };
        expect(answer.body.errors).toContainEqual(problem);
      }
    }
  });

  test('a member that an object of its body does not have, at any depth', async () => {
    for (const { method, url, operation } of operations) {
      const schema = operation.requestBody?.content['application/json']?.schema;
      for (const path of schema === undefined ? [] : objectsIn(schema)) {
        const answer = await world.api.send(method.toUpperCase(), url, valueWith(path));
        expect([method, url, path, answer.status]).toEqual([method, url, path, 422]);
        const pointer = `/${[...path, UNKNOWN].join('/')}`;
        expect(answer.body.errors).toContainEqual({ pointer, detail: 'unknown member' });
      }
    }
  });
});

test('a misspelled condition queues nothing', async () => {
  const before = await world.commands();
  const body = { imei, gprsCommand: 'getinfo', conditions: { maxspeed: 5 } };
  expect((await world.enqueue(body)).status).toBe(422);
  const batch = { imeis: [imei], gprsCommand: 'getinfo', conditions: { maxspeed: 5 } };
  expect((await world.api.send('POST', '/v1/gprsCommands/batch', batch)).status).toBe(422);
  expect(await world.commands()).toBe(before);
});
