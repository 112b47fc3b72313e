import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, dropDatabases } from '../../support/databases.ts';
import { type Kind, readStatements, type Statement } from '../../support/statements.ts';

let client: pg.Client;
let types: ReadonlyMap<number, string>;

beforeAll(async () => {
  client = new pg.Client({ connectionString: await createDatabase(), options: '-c search_path=fleetgate' });
  await client.connect();
  const { rows } = await client.query<{ oid: number; typname: string }>('select oid, typname from pg_type');
  types = new Map(rows.map(({ oid, typname }) => [oid, typname]));
});
afterAll(async () => {
  await client?.end();
  await dropDatabases();
});

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Columns of the answer. The statement is parsed, and not executed. Throws the error of the server. */
function describeStatement(text: string): Promise<readonly Column[]> {
  return new Promise((resolve, reject) => {
    let columns: readonly Column[] = [];
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription(message: { readonly fields: readonly Column[] }) {
        columns = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    } as unknown as pg.Submittable);
  });
}

/** What the driver makes of a type (`src/server/database/pool.ts`); `any`: depends on what is stored. */
function kindOf(type: string): Kind {
  if (/^(int2|int4|int8|float4|float8|timestamptz|oid)$/.test(type)) return 'number';
  if (/^(text|varchar|name|numeric|xid8|xid|uuid|char|bpchar|interval|inet|unknown)$/.test(type)) return 'string';
  if (type === 'bool') return 'boolean';
  if (type === 'bytea') return 'bytes';
  return type.startsWith('_') ? 'array' : 'any';
}

/** Statements on tables that are not in the schema, or that are no statement of their own. */
const ELSEWHERE = [
  // BullMQ's tables
  'src/server/commands/dispatch/queue/store.ts',
  // several settings in one message
  'src/server/database/transfer/store.ts',
];
/** Statements with a part that is known at run time only, such as a table's name. */
const MAX_NOT_FOLLOWED = 110;

async function describeOne(text: string): Promise<readonly Column[] | Error> {
  try {
    return await describeStatement(text);
  } catch (error) {
    return error as Error;
  }
}

/** What the declared rows of a statement state that its columns do not give. */
async function problemsOf({ at, texts, rows = [] }: Statement): Promise<string[]> {
  const answers: (readonly Column[] | Error)[] = [];
  for (const text of texts) answers.push(await describeOne(text));
  const described = answers.flatMap((answer) => (answer instanceof Error ? [] : [answer]));
  // conditions of one statement may exclude each other: not every combination of their parts occurs
  const [failure] = described.length > 0 ? [] : answers;
  const problems = new Set(failure instanceof Error ? [`${at} ${failure.message}`] : []);
  for (const columns of described) {
    const kinds = new Map(columns.map(({ name, dataTypeID }) => [name, kindOf(types.get(dataTypeID) ?? '')]));
    for (const { name, kinds: declared } of rows.flat()) {
      const kind = kinds.get(name);
      if (kind === undefined) problems.add(`${at} does not select ${name}`);
      else if (![kind, ...declared].includes('any') && declared.length > 0 && !declared.includes(kind)) {
        problems.add(`${at} selects ${name} as ${kind}, and its type says ${declared.join(' or ')}`);
      }
    }
  }
  return [...problems];
}

test('the rows of every statement are what their types say', async () => {
  const statements = readStatements('src/server').filter(({ at }) => !ELSEWHERE.includes(at.split(':')[0]!));
  const followed = statements.filter(({ texts }) => texts.length > 0);
  const problems: string[] = [];
  for (const statement of followed) problems.push(...(await problemsOf(statement)));
  expect(problems).toEqual([]);
  expect(followed.filter(({ rows }) => rows !== undefined).length).toBeGreaterThan(250);
  expect(statements.length - followed.length).toBeLessThanOrEqual(MAX_NOT_FOLLOWED);
});

const texts = ['select seq, created_at as "createdAt" from command'];
test.each([
  ['a member that is not selected is reported', [{ name: 'tenant', kinds: ['string'] }], ['at does not select tenant']],
  [
    'a member of another type is reported',
    [{ name: 'seq', kinds: ['string'] }],
    ['at selects seq as number, and its type says string'],
  ],
  ['a member with the type of its column is accepted', [{ name: 'createdAt', kinds: ['number'] }], []],
] as const)('%s', async (_, row, problems) => {
  expect(await problemsOf({ at: 'at', texts, rows: [row] })).toEqual(problems);
});

test('a statement that the server refuses is reported', async () => {
  const statement = { at: 'at', texts: ['select nothing from device'], rows: undefined };
  expect(await problemsOf(statement)).toEqual(['at column "nothing" does not exist']);
});
