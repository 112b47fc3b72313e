import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lockFile = readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8');
const { packages } = JSON.parse(lockFile) as { readonly packages: Readonly<Record<string, Locked>> };

/** The package that `name` resolves to from a folder, as Node.js looks it up. */
function resolve(from: string, name: string): Locked | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
    if (found !== undefined || folder === '') return found;
  }
}

const numbersOf = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

/** Is 20.19.0, the oldest supported version, in a range of `engines`? */
function takesOldestNode(range: string): boolean {
  return range.split('||').some((alternative) =>
    alternative
      .trim()
      .replace(/([<>=^~]+)\s+/g, '$1')
      .split(/\s+/)
      .every((part) => {
        const [major = 0, minor = 0] = numbersOf(part);
        const difference = 20 - major || 19 - minor;
        if (part.startsWith('>=')) return difference >= 0;
        if (part.startsWith('<')) return difference < 0;
        if (part.startsWith('^')) return major === 20 && difference >= 0;
        return part === '*' || (major === 20 && !part.includes('.'));
      }),
  );
}

describe('package-lock.json', () => {
  // npm ci refuses a lock file in which one of them is missing
  test('has an entry for each platform package', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.entries(optionalDependencies)
        .filter(([name, wanted]) => {
          const found = resolve(path, name);
          return found === undefined || (/^\d/.test(wanted) && found.version !== wanted);
        })
        .map(([name, wanted]) => `${path}: ${name}@${wanted}`),
    );
    expect(missing).toEqual([]);
  });

  test('has packages that run on the oldest supported Node.js', () => {
    const tooNew = Object.entries(packages)
      .filter(([, { engines, optional }]) => optional !== true && !takesOldestNode(engines?.node ?? '*'))
      .map(([path, { engines }]) => `${path}: ${engines?.node}`);
    expect(tooNew).toEqual([]);
  });

  test('takes ranges of Node.js versions apart', () => {
    for (const range of ['>=18', '>= 14', '^18 || ^20.19.0 || >=22', '20', '*', '>=16 <22']) {
      expect(takesOldestNode(range), range).toBe(true);
    }
    for (const range of ['>=22', '^18', '>=20.20', '>=14 <20', '^22.0.0 || >=24']) {
      expect(takesOldestNode(range), range).toBe(false);
    }
  });
});
