import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  asNever,
  CASTS_BY_UNKNOWN,
  castsByUnknown,
  chance,
  clock,
  cycles,
  environment,
  fileSize,
  functionSize,
  MAX_CASTS_BY_UNKNOWN,
  names,
  pagesAreAwaited,
  type Rule,
  sql,
} from './rules.ts';
import { excesses, MOST_STATEMENTS, protocolSizes, statementsOfLogic } from './size.ts';
import { parseSource, readSources, root } from './sources.ts';

const product = [...readSources('src'), ...readSources('protocols')];
const everything = [...product, ...readSources('test')];

describe('the code layout', () => {
  const rules: readonly (readonly [string, Rule, typeof product])[] = [
    ['files do not import each other in a cycle', cycles, product],
    ['only apps/config.ts reads the environment', environment, product],
    ['only platform/clock.ts reads the clock', clock, product],
    ['pure parts do not use random numbers', chance, product],
    ['only a store.ts or a .sql file has statements on tables', sql, product],
    ['no value is cast to never', asNever, product],
    ['no value is cast by way of unknown, but where a reason is listed', castsByUnknown, product],
    ['tests await what a page shows', pagesAreAwaited, everything],
    ['file names are specific', names, everything],
    ['files have at most 240 statements', fileSize, everything],
    ['functions have at most 70 statements', functionSize, product],
  ];
  it.each(rules)('%s', (_, rule, sources) => {
    expect(rule(sources)).toEqual([]);
  });

  it('at most ten files cast by way of unknown, and those that are listed do', () => {
    const listed = Object.keys(CASTS_BY_UNKNOWN).sort();
    expect(listed.length).toBeLessThanOrEqual(MAX_CASTS_BY_UNKNOWN);
    const casting = product.filter(
      ({ path, uses }) => path.startsWith('src/') && uses.some(({ kind }) => kind === 'as unknown as'),
    );
    expect(casting.map(({ path }) => path).sort()).toEqual(listed);
  });

  it('reads source files and their imports', () => {
    expect(product.length).toBeGreaterThan(20);
    expect(product.flatMap(({ links }) => links).length).toBeGreaterThan(50);
  });
});

/** Files that do not exist: what is wrong with them must be seen. */
const violations: readonly (readonly [string, Rule, string, string])[] = [
  ['an import cycle', cycles, 'src/codec/a.ts', "import './a.ts';"],
  ['the environment', environment, 'src/gateway/a.ts', "const port = process.env['PORT'];"],
  ['the environment by destructuring', environment, 'src/gateway/a.ts', 'const { env } = process;'],
  ['Date.now', clock, 'src/gateway/a.ts', 'const t = Date.now();'],
  ['new Date()', clock, 'protocols/h02/a.ts', 'const t = new Date().getTime();'],
  ['performance.now', clock, 'src/gateway/spool/a.ts', 'const t = performance.now();'],
  ['Math.random', chance, 'protocols/h02/a.ts', 'const t = Math.random();'],
  ['SQL', sql, 'src/server/positions/current/service.ts', "db.query('select id from device where id = $1');"],
  [
    'SQL in a template',
    sql,
    'src/server/positions/current/service.ts',
    'db.query(`insert into $' + '{table} values (1)`);',
  ],
  ['a cast to never', asNever, 'src/server/fleet/vehicles/routes.ts', 'reply.send(body as never);'],
  ['a cast by way of unknown', castsByUnknown, 'src/server/fleet/vehicles/routes.ts', 'f(body as unknown as Row);'],
  ...[
    "expect(await page.locator('.chart canvas').count()).toBe(2);",
    "expect((await page.locator('code').allTextContents()).join(), 'codes').toContain('2');",
    "expect(await page.evaluate('1')).toBe(1);",
    'expect(await count()).toBe(1);',
    "expect(new URL(page.url()).search).toBe('?q=1');",
  ].map(
    (text) =>
      [
        `a test that reads a page once: ${text}`,
        pagesAreAwaited,
        'test/e2e/a.test.ts',
        `import { ConsoleBrowser } from '../support/console.ts';\n${text}`,
      ] as const,
  ),
  ['a helper', names, 'src/gateway/helpers/bytes.ts', ''],
  ['utils in a longer name', names, 'src/gateway/date-utils.ts', ''],
  ['a long file', fileSize, 'src/gateway/a.ts', 'f();\n'.repeat(241)],
  ['a long function', functionSize, 'src/gateway/a.ts', `function f() {\n${'f();\n'.repeat(71)}}`],
];

describe('violations are detected', () => {
  it.each(violations)('%s', (_, rule, path, text) => {
    expect(rule([parseSource(path, text)])).toHaveLength(1);
  });

  it('allowed imports are accepted', () => {
    const fine = [
      parseSource(
        'protocols/gt06/decode.ts',
        "import { Reader } from '#codec';\nimport { table } from './elements.ts';",
      ),
      parseSource('src/contract/telemetry/a.ts', "import type { Position } from '#codec';"),
      parseSource('src/gateway/a.ts', "import { Driver } from '#codec';\nconst at = new Date(ms);"),
      parseSource('src/server/positions/current/store.ts', "query('select id from device');"),
      parseSource('src/server/a.ts', "fail('Select a device', 'update the device', 'copy it', 'set it');"),
    ];
    for (const rule of [cycles, environment, clock, sql, names]) expect(rule(fine)).toEqual([]);
    const awaited = [
      "import type { Page } from 'playwright-core';",
      'await expect.poll(() => page.locator("canvas").count()).toBe(2);',
      'expect((await download).suggestedFilename()).toBe("a.csv");',
      'expect(await fetch(browser.url("/v1/devices"))).toBeDefined();',
    ].join('\n');
    expect(pagesAreAwaited([parseSource('test/e2e/a.test.ts', awaited)])).toEqual([]);
    const noBrowser = parseSource('test/unit/a.test.ts', 'expect(await count()).toBe(1);');
    expect(pagesAreAwaited([noBrowser])).toEqual([]);
    expect(clock([parseSource('src/platform/clock.ts', 'Date.now();')])).toEqual([]);
  });
});

describe('protocols are small beside their tables', () => {
  it('no folder is larger than it may be', () => {
    expect(protocolSizes(product)).toEqual([]);
    expect(statementsOfLogic(product).size).toBeGreaterThan(30);
  });

  const logic = parseSource(
    'protocols/acme/decode.ts',
    `export function decode() {\n${'decode();\n'.repeat(MOST_STATEMENTS)}}`,
  );
  const rows = Array.from({ length: MOST_STATEMENTS + 1 }, (_, i) => `export const row${i} = [flag('a')]; // if`);
  const table = ["import { flag } from '#codec';", ...rows].join('\n');

  it('a folder with too many statements is reported, one with long tables is accepted', () => {
    expect(protocolSizes([logic], {})).toHaveLength(1);
    expect(protocolSizes([parseSource('protocols/acme/elements.ts', table)], {})).toEqual([]);
  });

  it.each([
    'const f = () => 1;',
    'function f() {}',
    'const o = { f() {} };',
    'class A {}',
    'let a = 1;\nif (a) a = 2;',
    'for (const a of rows) a;',
    'while (rows.pop());',
    'const a = rows ? 1 : 2;',
  ])('a file with `%s` is not a table', (text) => {
    expect(protocolSizes([parseSource('protocols/acme/elements.ts', `${table}\n${text}`)], {})).toHaveLength(1);
  });

  it('a known excess must not grow, and must be removed when it is no longer necessary', () => {
    expect(protocolSizes([logic], { acme: MOST_STATEMENTS + 1 })).toEqual([]);
    expect(protocolSizes([logic], { acme: MOST_STATEMENTS })).toHaveLength(1);
    expect(protocolSizes([], { acme: 2_000 })).toHaveLength(1);
    for (const most of Object.values(excesses)) expect(most).toBeGreaterThan(MOST_STATEMENTS);
  });
});

it('SQL files are migrations, functions and the schema that they make', () => {
  const found = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.sql'),
  );
  expect(
    found.filter((path) => !/^server\/(?:database\/(?:migrations\/|schema\.sql$)|[a-z]+\/sql\/)/.test(path)),
  ).toEqual([]);
});

describe('CHANGELOG.md', () => {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const releases = text.split(/^## /m).slice(1);

  it('begins with the unreleased changes, then the version of package.json', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(releases[0]).toMatch(/^\[Unreleased\]\n/);
    expect(releases[1]!.startsWith(`[${version}] - `)).toBe(true);
  });

  it.each(releases.map((release) => [release.split('\n')[0], release] as const))(
    '%s has each kind of change once',
    (_, release) => {
      const kinds = [...release.matchAll(/^### (.+)$/gm)].map(([, kind]) => kind);
      const order = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
      expect(kinds).toEqual(order.filter((kind) => kinds.includes(kind)));
      expect(release, 'blank lines between entries').not.toMatch(/^ *[^\s#].*\n\n- /m);
    },
  );
});

describe('decision records', () => {
  const records = readdirSync(join(root, 'docs/adr')).sort();

  it.each(records)('%s has the sections of a decision record', (name) => {
    const text = readFileSync(join(root, 'docs/adr', name), 'utf8');
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(sections).toEqual(['Context', 'Decision', 'Alternatives', 'Consequences', 'Supersedes']);
  });

  it('are numbered without gaps', () => {
    expect(records.map((name) => Number(name.slice(0, 4)))).toEqual(records.map((_, index) => index + 1));
  });
});

it('every TypeScript file is plain text with Unix line ends', () => {
  for (const { path } of everything) expect(readFileSync(join(root, path), 'latin1')).not.toMatch(/[\r\0]/);
});
