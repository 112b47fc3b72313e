import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  folderCycles,
  folderOf,
  folders,
  imports,
  linesByArea,
  SERVER_AREAS,
  unusedEntries,
  upwardImports,
} from './areas.ts';
import { cyclesOf } from './rules.ts';
import { parseSource, readSources, root } from './sources.ts';

const product = [...readSources('src'), ...readSources('protocols')];

describe('the folders of src', () => {
  it('import each other by the list', () => expect(imports(product)).toEqual([]));
  it('form no cycle', () => expect(folderCycles(product)).toEqual([]));
  it('of the server import only areas before their own', () => expect(upwardImports(product)).toEqual([]));
  it('use every entry of the list', () => expect(unusedEntries(product)).toEqual([]));
  it('have a list without cycles', () => {
    const listed = Object.entries(folders).map(([folder, { uses }]) => [folder, uses.filter((each) => each !== '*')]);
    // the base of the server is listed for its own folders too
    const isBase = (name: string) => name.startsWith('server/kernel/') || name === 'server/database';
    expect(
      cyclesOf(new Map(listed.map(([folder, uses]) => [folder as string, isBase(folder as string) ? [] : uses!]))),
    ).toEqual([]);
  });
  it('all exist, and hold more than one file', () => {
    const files = new Map<string, number>();
    for (const { path } of product) {
      const folder = folderOf(path);
      if (folder !== undefined) files.set(folder, (files.get(folder) ?? 0) + 1);
    }
    const small = Object.keys(folders).filter((folder) => (files.get(folder) ?? 0) < 2);
    // areas whose own files are settings only
    expect(
      small.filter((folder) => !['server/alerts', 'server/commands', 'server/ingest', 'server/live'].includes(folder)),
    ).toEqual([]);
  });
});

describe('the areas of src', () => {
  const texts = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|sql)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(root.length + 1), text: readFileSync(path, 'utf8') }));
  const lines = linesByArea(texts);
  const total = [...lines.values()].reduce((sum, each) => sum + each, 0);

  it('have at most 20 % of its lines', () => {
    expect([...lines].filter(([, each]) => each > 0.2 * total)).toEqual([]);
  });
  it('have at least 300 lines', () => {
    expect([...lines].filter(([, each]) => each < 300)).toEqual([]);
  });
  it('of the server are in the order of SERVER_AREAS', () => {
    const found = [...lines.keys()].flatMap((area) => /^server\/([^/.]+)$/.exec(area)?.[1] ?? []);
    expect(found.sort()).toEqual([...SERVER_AREAS, 'wiring'].sort());
  });
});

const refused: readonly (readonly [string, string, string])[] = [
  ['a protocol imports another', 'protocols/gt06/decode.ts', "import { x } from '../h02/decode.ts';"],
  ['a protocol imports a server part', 'protocols/gt06/decode.ts', "import '../../src/platform/clock.ts';"],
  ['a protocol reads files', 'protocols/gt06/decode.ts', "import fs from 'node:fs';"],
  ['a file of the kit and not #codec', 'protocols/gt06/a.ts', "import { Reader } from '../../src/codec/reader.ts';"],
  ['the codec imports a package', 'src/codec/frame.ts', "import { z } from 'zod';"],
  ['the gateway imports the API', 'src/gateway/net/tcp.ts', "import type { Api } from '../../server/index.ts';"],
  ['the server re-exports from the gateway', 'src/server/a.ts', "export { Session } from '../gateway/index.ts';"],
  ['the spool imports dispatch dynamically', 'src/gateway/spool/a.ts', "await import('../../server/index.ts');"],
  ['the contract runs codec code', 'src/contract/telemetry/a.ts', "import { type Position, Reader } from '#codec';"],
  ['a part imports the command line', 'src/platform/a.ts', "import { UsageError } from '../cli/usage.ts';"],
  ['a dynamic import of a computed name', 'src/gateway/a.ts', 'await import(name);'],
  ['a folder that is not in the list', 'src/engine/a.ts', "import fs from 'node:fs';"],
  [
    'a file of another folder',
    'src/server/accounts/users/a.ts',
    "import { hashPassword } from '../../kernel/auth/passwords.ts';",
  ],
  [
    'only types of such a file',
    'src/server/accounts/users/a.ts',
    "import type { A } from '../../kernel/auth/passwords.ts';",
  ],
  [
    'a folder that is not on its list',
    'src/server/accounts/users/a.ts',
    "import { addLive } from '../../live/events/index.ts';",
  ],
  [
    'a folder above it, from deep inside',
    'src/server/kernel/auth/otp/a.ts',
    "import { createUsers } from '../../../accounts/users/index.ts';",
  ],
  ['the same, re-exported', 'src/server/kernel/http/index.ts', "export { createAudit } from '../audit/index.ts';"],
  ['the same, dynamically', 'src/server/kernel/http/a.ts', "await import('../audit/index.ts');"],
  ['the wiring', 'src/server/live/events/a.ts', "import type { ApiDeps } from '../../wiring/deps.ts';"],
  ['the whole server', 'src/server/live/events/a.ts', "import { createApi } from '../../index.ts';"],
  ['the processes, from the server', 'src/server/a.ts', "import { loadConfig } from '../apps/config.ts';"],
  ['anything, from an area that is not listed', 'src/server/billing/a.ts', "import { a } from '../alerts/index.ts';"],
];

describe('forbidden imports are detected', () => {
  it.each(refused)('%s', (_, path, text) => {
    expect(imports([parseSource(path, text)])).toHaveLength(1);
  });

  it('an area imports one after it', () => {
    const source = parseSource('src/server/kernel/http/a.ts', "import { a } from '../../alerts/rules/index.ts';");
    expect(upwardImports([source])).toHaveLength(1);
  });

  it('allowed imports are accepted', () => {
    const fine = [
      parseSource('protocols/gt06/decode.ts', "import { Reader } from '#codec';\nimport { t } from './elements.ts';"),
      parseSource('src/contract/telemetry/a.ts', "import type { Position } from '#codec';"),
      parseSource('src/gateway/a.ts', "import { Driver } from '#codec';"),
      parseSource(
        'src/server/accounts/users/a.ts',
        "import { h } from '../../kernel/auth/index.ts';\nimport './b.ts';",
      ),
      parseSource('src/server/accounts/users/b/c.ts', "import { t } from '../../../kernel/http/index.ts';"),
      parseSource('src/server/wiring/a.ts', "import { createUsers } from '../accounts/users/index.ts';"),
      parseSource('src/server/index.ts', "import { createIdentity } from './wiring/identity.ts';"),
      parseSource('src/apps/a.ts', "import { createApi } from '../server/index.ts';"),
    ];
    expect(imports(fine)).toEqual([]);
    expect(upwardImports(fine)).toEqual([]);
  });
});

describe('cycles are detected', () => {
  const users = parseSource('src/server/accounts/users/a.ts', "import { end } from '../../kernel/auth/index.ts';");
  const auth = parseSource('src/server/kernel/auth/b.ts', "import type { U } from '../../accounts/users/index.ts';");
  const audit = parseSource('src/server/kernel/auth/c.ts', "import { note } from '../audit/index.ts';");
  const back = parseSource('src/server/kernel/audit/d.ts', "import { f } from '../../accounts/users/index.ts';");

  it('between two folders, also if no two files import each other', () => {
    expect(folderCycles([users, auth])).toEqual(['server/accounts/users → server/kernel/auth → server/accounts/users']);
  });
  it('between three folders', () => expect(folderCycles([users, audit, back])).toHaveLength(1));
  it('are not reported if imports go one way', () => expect(folderCycles([users, audit])).toEqual([]));
});
