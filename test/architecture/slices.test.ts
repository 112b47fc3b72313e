import { describe, expect, it } from 'vitest';
import { cyclesOf } from './rules.ts';
import { sliceCycles, sliceImports, slices, unusedEntries } from './slices.ts';
import { parseSource, readSources } from './sources.ts';

const product = readSources('src');

describe('the slices of the API', () => {
  it('import each other by the list, through index.ts', () => expect(sliceImports(product)).toEqual([]));
  it('form no cycle', () => expect(sliceCycles(product)).toEqual([]));
  it('use every entry of the list', () => expect(unusedEntries(product)).toEqual([]));
  it('have a list without cycles', () => expect(cyclesOf(new Map(Object.entries(slices)))).toEqual([]));
  it('all exist', () => {
    const folders = new Set(
      product.flatMap(({ path }) => /^src\/api\/([^/]+)\//.exec(path)?.[1] ?? []).filter((name) => name !== 'wiring'),
    );
    expect(Object.keys(slices).sort()).toEqual([...folders].sort());
  });
});

const added: readonly (readonly [string, string, string])[] = [
  ['a file of another slice', 'src/api/users/a.ts', "import { hashPassword } from '../auth/passwords.ts';"],
  ['only types of a file of another slice', 'src/api/users/a.ts', "import type { A } from '../auth/passwords.ts';"],
  ['a slice that is not on its list', 'src/api/users/a.ts', "import { addLive } from '../live/index.ts';"],
  [
    'a slice above it, from deep inside',
    'src/api/auth/otp/a.ts',
    "import { createUsers } from '../../users/index.ts';",
  ],
  ['the same, re-exported', 'src/api/http/index.ts', "export { createAudit } from '../audit/index.ts';"],
  ['the same, dynamically', 'src/api/http/a.ts', "await import('../audit/index.ts');"],
  ['the wiring', 'src/api/live/a.ts', "import type { ApiDeps } from '../wiring/deps.ts';"],
  ['the whole API', 'src/api/live/a.ts', "import { createApi } from '../index.ts';"],
  ['a file of a slice, from the root', 'src/api/index.ts', "import { createKey } from './auth/keys.ts';"],
  ['a slice, from another area', 'src/apps/a.ts', "import { createKey } from '../api/auth/index.ts';"],
  ['anything, from a slice that is not listed', 'src/api/billing/a.ts', "import fs from 'node:fs';"],
];

describe('forbidden imports are detected', () => {
  it.each(added)('%s', (_, path, text) => {
    expect(sliceImports([parseSource(path, text)])).toHaveLength(1);
  });

  it('allowed imports are accepted', () => {
    const fine = [
      parseSource('src/api/users/a.ts', "import { hashPassword } from '../auth/index.ts';\nimport './store.ts';"),
      parseSource('src/api/users/b/c.ts', "import { tenantOf } from '../../http/index.ts';\nimport '../store.ts';"),
      parseSource('src/api/wiring/a.ts', "import { createUsers } from '../users/index.ts';"),
      parseSource('src/api/index.ts', "import { createIdentity } from './wiring/identity.ts';"),
      parseSource('src/apps/a.ts', "import { createApi } from '../api/index.ts';"),
    ];
    expect(sliceImports(fine)).toEqual([]);
  });
});

describe('cycles are detected', () => {
  const users = parseSource('src/api/users/a.ts', "import { end } from '../auth/index.ts';");
  const auth = parseSource('src/api/auth/otp/b.ts', "import type { Users } from '../../users/index.ts';");
  const audit = parseSource('src/api/auth/c.ts', "import { note } from '../audit/index.ts';");
  const back = parseSource('src/api/audit/d.ts', "import { find } from '../users/service.ts';");

  it('between two slices, also if no two files import each other', () => {
    expect(sliceCycles([users, auth])).toEqual(['users → auth → users']);
  });
  it('between three slices', () => expect(sliceCycles([users, audit, back])).toEqual(['users → auth → audit → users']));
  it('are not reported if imports go one way', () => expect(sliceCycles([users, audit])).toEqual([]));
  it('through the wiring', () => {
    const up = parseSource('src/api/live/a.ts', "import type { ApiDeps } from '../wiring/deps.ts';");
    const down = parseSource('src/api/wiring/deps.ts', "import type { Hub } from '../live/index.ts';");
    expect(sliceCycles([up, down])).toEqual(['live → wiring → live']);
  });
});
