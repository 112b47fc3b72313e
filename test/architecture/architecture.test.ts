import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  asNever,
  chance,
  clock,
  cycles,
  environment,
  fileSize,
  functionSize,
  imports,
  names,
  type Rule,
  sql,
} from './rules.ts';
import { excesses, MOST_STATEMENTS, protocolSizes, statementsOfLogic } from './size.ts';
import { parseSource, readSources, root } from './sources.ts';
import { bannedUses, readTexts } from './words.ts';

const product = [...readSources('src'), ...readSources('protocols')];
const everything = [...product, ...readSources('test')];

describe('the code layout', () => {
  const rules: readonly (readonly [string, Rule, typeof product])[] = [
    ['imports only go where the allow-list lets them', imports, product],
    ['files do not import each other in a cycle', cycles, product],
    ['only platform/config.ts reads the environment', environment, product],
    ['only platform/clock.ts reads the clock', clock, product],
    ['pure parts do not use random numbers', chance, product],
    ['only a store.ts or a migration holds SQL', sql, product],
    ['no value is cast to never', asNever, product],
    ['file names are specific', names, everything],
    ['files have at most 240 statements', fileSize, everything],
    ['functions have at most 70 statements', functionSize, product],
  ];
  it.each(rules)('%s', (_, rule, sources) => {
    expect(rule(sources)).toEqual([]);
  });

  it('reads source files and their imports', () => {
    expect(product.length).toBeGreaterThan(20);
    expect(product.flatMap(({ links }) => links).length).toBeGreaterThan(50);
  });
});

/** Files that do not exist: what is wrong with them must be seen. */
const violations: readonly (readonly [string, Rule, string, string])[] = [
  ['a protocol imports another', imports, 'protocols/gt06/decode.ts', "import { x } from '../h02/decode.ts';"],
  ['a protocol imports a server part', imports, 'protocols/gt06/decode.ts', "import '../../src/platform/clock.ts';"],
  ['a protocol reads files', imports, 'protocols/gt06/decode.ts', "import fs from 'node:fs';"],
  [
    'a protocol imports a file of the kit and not #codec',
    imports,
    'protocols/gt06/a.ts',
    "import { Reader } from '../../src/codec/reader.ts';",
  ],
  ['the codec imports a package', imports, 'src/codec/frame.ts', "import { z } from 'zod';"],
  ['the gateway imports the API', imports, 'src/gateway/tcp.ts', "import type { Api } from '../api/http/server.ts';"],
  ['the API re-exports from the gateway', imports, 'src/api/a.ts', "export { Session } from '../gateway/sessions.ts';"],
  ['delivery imports dispatch dynamically', imports, 'src/delivery/a.ts', "await import('../dispatch/claim.ts');"],
  ['dispatch re-exports all of delivery', imports, 'src/dispatch/a.ts', "export * from '../delivery/index.ts';"],
  ['telemetry runs codec code', imports, 'src/telemetry/a.ts', "import { type Position, Reader } from '#codec';"],
  ['a part imports the command line', imports, 'src/platform/a.ts', "import { UsageError } from '../cli/usage.ts';"],
  ['a dynamic import of a computed name', imports, 'src/gateway/a.ts', 'await import(name);'],
  ['a folder that is not in the allow-list', imports, 'src/engine/a.ts', "import fs from 'node:fs';"],
  ['an import cycle', cycles, 'src/codec/a.ts', "import './a.ts';"],
  ['the environment', environment, 'src/gateway/a.ts', "const port = process.env['PORT'];"],
  ['the environment by destructuring', environment, 'src/gateway/a.ts', 'const { env } = process;'],
  ['Date.now', clock, 'src/gateway/a.ts', 'const t = Date.now();'],
  ['new Date()', clock, 'protocols/h02/a.ts', 'const t = new Date().getTime();'],
  ['performance.now', clock, 'src/delivery/a.ts', 'const t = performance.now();'],
  ['Math.random', chance, 'protocols/h02/a.ts', 'const t = Math.random();'],
  ['SQL', sql, 'src/api/positions/service.ts', "db.query('select id from device where id = $1');"],
  ['SQL in a template', sql, 'src/api/positions/service.ts', 'db.query(`insert into $' + '{table} values (1)`);'],
  ['a cast to never', asNever, 'src/api/vehicles/routes.ts', 'reply.send(body as never);'],
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
      parseSource('src/telemetry/a.ts', "import type { Position } from '#codec';"),
      parseSource('src/gateway/a.ts', "import { Driver } from '#codec';\nconst at = new Date(ms);"),
      parseSource('src/api/positions/store.ts', "query('select id from device');"),
      parseSource('src/api/a.ts', "fail('Select a device', 'update the device', 'copy it', 'set it');"),
    ];
    for (const rule of [imports, cycles, environment, clock, sql, names]) expect(rule(fine)).toEqual([]);
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

describe('the glossary is followed', () => {
  it('no banned word is used', () => {
    expect(readTexts().flatMap(bannedUses)).toEqual([]);
  });

  it.each([
    ['src/feed/a.ts', 'const toldOf = 1;'],
    ['src/feed/a.ts', '// the reader is told of it'],
    ['src/feed/a.ts', "fail('the date is none');"],
    ['src/feed/keeper.ts', ''],
    ['src/api/commands/a.ts', 'const verdict = 1;'],
    ['src/api/commands/a.ts', 'a dangerous command'],
    ['src/gateway/a.ts', 'the device knocks'],
    ['docs/a.md', 'It begins anew.'],
    ['test/unit/a.test.ts', 'const off_line = 1;'],
  ])('a banned word in %s is found: %s', (path, text) => {
    expect(bannedUses({ path, text })).toHaveLength(1);
  });

  it.each([
    ['protocols/gt06/a.ts', 'doors: left door open, battery life, turns on, returns'],
    ['src/tachograph/a.ts', 'logbook, trained, tellurium, plan, glanced, on a ferry or train, { verdict }'],
    ['src/api/commands/a.ts', 'select dangerous_commands from tenant_setting; insert into knock'],
    ['src/api/ingest/a.ts', "event.type === 'knock'; event.life; undefined if there is none"],
    ['src/messaging/a.ts', 'order by tell_at'],
    ['src/api/commands/a.ts', "'commands:dangerous'"],
    ['docs/a.md', 'an error on line 3; nonetheless, manually'],
  ])('a legitimate word in %s is accepted: %s', (path, text) => {
    expect(bannedUses({ path, text })).toEqual([]);
  });
});

it('SQL files are migrations, functions and the schema that they make', () => {
  const found = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.sql'),
  );
  expect(found.filter((path) => !/\/postgres\/(?:migrations\/|functions\/|schema\.sql$)/.test(path))).toEqual([]);
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
