import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { root } from './sources.ts';

type Read = (path: string) => string;

/** An export: the file that declares it, its name, and whether it is a type. */
interface Exported {
  readonly file: string;
  readonly name: string;
  readonly isType: boolean;
}

const packageImports = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

const fileOf = (from: string, specifier: string): string | undefined =>
  specifier.startsWith('.')
    ? posix.join(posix.dirname(from), specifier)
    : packageImports[specifier]?.['fleetgate-source']?.slice('./'.length);

/** Exports by the name that a file gives them. */
function exportsOf(file: string, read: Read): ReadonlyMap<string, Exported> {
  const found = new Map<string, Exported>();
  for (const { entries } of parseSync(file, read(file)).module.staticExports)
    for (const { moduleRequest, importName, exportName, isType } of entries) {
      const source = moduleRequest === null ? undefined : fileOf(file, moduleRequest.value);
      if (source === undefined) {
        if (exportName.name !== null) found.set(exportName.name, { file, name: exportName.name, isType });
        continue;
      }
      const inner = exportsOf(source, read);
      if (exportName.name === null) for (const [name, each] of inner) found.set(name, each);
      else found.set(exportName.name, inner.get(importName.name ?? '') ?? { file: source, name: '', isType });
    }
  return found;
}

/** What the files import, each as `<file that declares it> <name>`. A file's own names do not count. */
function importsOf(files: readonly string[], read: Read, exportsIn: (file: string) => ReadonlyMap<string, Exported>) {
  const found = new Set<string>();
  for (const path of files)
    for (const { moduleRequest, entries } of parseSync(path, read(path)).module.staticImports) {
      const target = fileOf(path, moduleRequest.value);
      if (!target?.startsWith('src/codec/')) continue;
      for (const { importName } of entries) {
        const exported = exportsIn(target).get(importName.name ?? '');
        if (exported !== undefined) found.add(`${exported.file} ${exported.name}`);
      }
    }
  return found;
}

/** Exports of the kit that no other file of `users` imports; types that tests name are in use as well. */
function unusedExports(users: readonly string[], tests: readonly string[], read: Read): string[] {
  const known = new Map<string, ReadonlyMap<string, Exported>>();
  const exportsIn = (file: string): ReadonlyMap<string, Exported> => {
    const exports = known.get(file) ?? exportsOf(file, read);
    known.set(file, exports);
    return exports;
  };
  const used = importsOf(users, read, exportsIn);
  const usedByTests = importsOf(tests, read, exportsIn);
  const entries = Object.keys(packageImports).map((specifier) => fileOf('', specifier)!);
  const present = entries.filter((entry) => users.includes(entry));
  return present.flatMap((entry) =>
    [...exportsIn(entry)].flatMap(([name, { file, name: declared, isType }]) => {
      const key = `${file} ${declared}`;
      return used.has(key) || (isType && usedByTests.has(key)) ? [] : [`${entry}: ${name}`];
    }),
  );
}

const read: Read = (path) => readFileSync(join(root, path), 'utf8');
const pathsIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')));
/** Files of the kit, and others that name it: parsing all files takes long. */
const namesKit = (path: string): boolean => path.startsWith('src/codec/') || /codec/.test(read(path));

describe('the kit', () => {
  it('exports nothing that no protocol and no other file of src imports', () => {
    const product = [...pathsIn('src'), ...pathsIn('protocols')];
    expect(unusedExports(product.filter(namesKit), pathsIn('test').filter(namesKit), read)).toEqual([]);
  });

  it('is found to export something that nothing imports', () => {
    const files: Readonly<Record<string, string>> = {
      'src/codec/index.ts': "export * from './crc.ts';",
      'src/codec/crc.ts':
        'export type Size = 8 | 16; export const crc8 = 1; export const crc16 = crc8; export type Poly = 1;',
      'protocols/acme/frame.ts': "import { crc16 } from '#codec';",
      'test/crc.test.ts': "import { crc8, type Poly } from '#codec';",
    };
    const users = ['src/codec/index.ts', 'src/codec/crc.ts', 'protocols/acme/frame.ts'];
    expect(unusedExports(users, ['test/crc.test.ts'], (path) => files[path]!)).toEqual([
      'src/codec/index.ts: Size',
      'src/codec/index.ts: crc8',
    ]);
  });
});
