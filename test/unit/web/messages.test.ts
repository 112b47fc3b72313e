import { describe, expect, it, test } from 'vitest';
import { en } from '../../../web/src/i18n/en.ts';
import { it as italian } from '../../../web/src/i18n/it.ts';
import { formatMessage } from '../../../web/src/i18n/message.ts';

const DICTIONARIES: Readonly<Record<string, Readonly<Record<string, string>>>> = { en, it: italian };
/** Values that are numbers of things. Another name stands for a text: a name, a time, an ordinal, an amount with its unit. */
const COUNTS = ['n', 'all', 'shown', 'positions', 'refused', 'skipped', 'listed', 'done', 'files'];
const TEXTS = (
  'actor age at by condition detail from gateway group hint id imei km label letter letters ' +
  'max min name nth reason service state targa text to unit until value'
).split(' ');
const PLACE = /\{(\w+)(?:, (\w+),?((?: \w+ \{[^{}]*\})*))?\}/g;

interface Place {
  readonly name: string;
  readonly kind: string | undefined;
  readonly forms: readonly string[];
}

const placesOf = (text: string): Place[] =>
  [...text.matchAll(PLACE)].map(([, name, kind, forms = '']) => ({
    name: name!,
    kind,
    forms: [...forms.matchAll(/ (\w+) \{/g)].map(([, form]) => form!),
  }));

const texts = Object.entries(DICTIONARIES).flatMap(([language, words]) =>
  Object.entries(words).map(([key, text]) => ({ language, key, text, places: placesOf(text) })),
);

describe('texts of the console', () => {
  it('name values of which it is known whether they are counts', () => {
    const names = new Set(texts.flatMap(({ places }) => places.map(({ name }) => name)));
    expect([...names].filter((name) => !COUNTS.includes(name) && !TEXTS.includes(name))).toEqual([]);
  });

  it('have the plural forms of their language for a count, or no noun beside it', () => {
    const lacking = texts.flatMap(({ language, key, text, places }) => {
      const needed = new Intl.PluralRules(language)
        .resolvedOptions()
        .pluralCategories.filter((each) => each !== 'many');
      return places
        .filter(({ name }) => COUNTS.includes(name))
        .filter(({ kind, forms }) => kind !== 'number' && needed.some((each) => !forms.includes(each)))
        .map(({ name }) => `${language} ${key} {${name}}: ${text}`);
    });
    expect(lacking).toEqual([]);
  });

  it('have no digits before a noun that were written without a count', () => {
    expect(texts.filter(({ text }) => /\b1 [a-z]{2,}s\b/.test(text)).map(({ key }) => key)).toEqual([]);
  });

  it('name the same values in every language', () => {
    const namesOf = (language: string, key: string) =>
      [...new Set(placesOf(DICTIONARIES[language]![key]!).map(({ name }) => name))].sort();
    for (const key of Object.keys(en)) expect(namesOf('it', key), key).toEqual(namesOf('en', key));
  });
});

test.each([
  ['en-GB', en, 0, '0 of 0 vehicles'],
  ['en-GB', en, 1, '1 of 1 vehicle'],
  ['en-GB', en, 2, '2 of 2 vehicles'],
  ['en-GB', en, 12_000, '12,000 of 12,000 vehicles'],
  ['it-IT', italian, 0, '0 di 0 veicoli'],
  ['it-IT', italian, 1, '1 di 1 veicolo'],
  ['it-IT', italian, 2, '2 di 2 veicoli'],
  ['it-IT', italian, 12_000, '12.000 di 12.000 veicoli'],
  // a plural category that Italian has and the texts have no form for
  ['it-IT', italian, 1_000_000, '1.000.000 di 1.000.000 veicoli'],
])('%s: the number of vehicles, %#', (locale, words, n, text) => {
  expect(formatMessage(words['map.count'], { shown: n, all: n }, locale)).toBe(text);
});

test('a value is inserted as it is, also with braces, and a missing one is empty', () => {
  expect(formatMessage('{name}: {detail}.', { name: '{n, number}' }, 'en-GB')).toBe('{n, number}: .');
});
