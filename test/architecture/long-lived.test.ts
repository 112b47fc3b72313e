import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { longLived } from './long-lived.ts';
import { findLongLived } from './long-lived-finder.ts';
import { root } from './sources.ts';

const texts = new Map(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:server|gateway|platform|apps)\/.*\.ts$/.test(name))
    .sort()
    .map((name) => [`src/${name}`, readFileSync(join(root, 'src', name), 'utf8')]),
);

/** What is found and not listed, and what is listed and not found. */
function differences(files: ReadonlyMap<string, string>): string[] {
  const found = [...files].flatMap(([path, text]) => findLongLived(path, text).map((name) => `${path} ${name}`));
  const listed = Object.entries(longLived).flatMap(([path, names]) =>
    Object.keys(names).map((name) => `${path} ${name}`),
  );
  return [
    ...found.filter((one) => !listed.includes(one)).map((one) => `${one}: say its key and its bound in long-lived.ts`),
    ...listed.filter((one) => !found.includes(one)).map((one) => `${one} is gone: remove its entry`),
  ];
}

test('every Map and Set that outlives a request is listed with its key and bound', () => {
  expect(differences(texts)).toEqual([]);
}, 60_000);

test('constants and settings that bounds name exist in the file or beside it', () => {
  const all = [...texts.values()].join('\n');
  const names = Object.values(longLived)
    .flatMap((kept) => Object.values(kept))
    .flatMap((life) => (typeof life === 'string' ? [] : (life.bound.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [])));
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(all))).toEqual([]);
});

describe('the search finds', () => {
  test.each([
    ['one of the module', 'const answers = new Map<string, Answer>();', ['answers']],
    ['one in a constant object', 'export const state = { answers: new Map() };', ['state']],
    ['one of a class', 'class Cache { readonly #entries = new Map<string, number>(); }', ['#entries']],
    [
      'one that a constructor makes',
      'class Cache { #entries; constructor() { this.#entries = new Set(); } }',
      ['#entries'],
    ],
    ['one of a factory by its name', 'function createX() { const known = new Map(); return new X(known); }', ['known']],
    [
      'one that a returned function keeps',
      'const memo = (make) => { const known = new Map(); return (key) => known.get(key); };',
      ['known'],
    ],
    [
      'one that methods keep',
      'function answers() { const known = new Map(); return { get: (key) => known.get(key) }; }',
      ['known'],
    ],
    ['one with first entries that is filled later', 'const known = new Set(["a"]); known.add(name);', ['known']],
    [
      'two of one name',
      'function createX() { const a = new Map(); } function createY() { const a = new Map(); }',
      ['a', 'a 2'],
    ],
  ])('%s', (_, text, names) => {
    expect(findLongLived('x.ts', text)).toEqual(names);
  });

  test.each([
    ['data', 'const WORDS = new Set(["a", "b"]);'],
    [
      'one of a function that computes',
      'function count(list) { const seen = new Set(); for (const one of list) seen.add(one); return seen.size; }',
    ],
    [
      'one of a function within a factory',
      'function createX() { return { count() { const seen = new Set(); return seen.size; } }; }',
    ],
  ])('and leaves %s', (_, text) => {
    expect(findLongLived('x.ts', text)).toEqual([]);
  });

  test('one that is added to a file, and misses one that is removed', () => {
    const path = 'src/server/commands/api/target.ts';
    const text = texts.get(path)!;
    const more = new Map(
      [...texts].filter(([file]) => file === path).map(([file]) => [file, `${text}\nconst answers = new Map();`]),
    );
    expect(differences(more)).toContain(`${path} answers: say its key and its bound in long-lived.ts`);
    const less = new Map([[path, text.replace('const cached = new Map', 'const cached = new Cache')]]);
    expect(differences(less)).toContain(`${path} cached is gone: remove its entry`);
  });
});
