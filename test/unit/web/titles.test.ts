import { expect, it } from 'vitest';
import { definitionsOf } from '../../../src/codec/catalogue/command-definitions.ts';
import { loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { commandParametersIt } from '../../../web/src/i18n/command-parameters-it.ts';
import { optionsIt } from '../../../web/src/i18n/options-it.ts';
import { titleIn } from '../../../web/src/i18n/title.ts';

const catalogue = await loadCatalogue();
const parameters = catalogue.protocols.flatMap(({ id }) =>
  definitionsOf(catalogue, id).flatMap((definition) => definition.parameters),
);
const options = catalogue.protocols.flatMap((protocol) => Object.values(protocol.options ?? {}));

it.each([
  ['parameter of every command', parameters, commandParametersIt],
  ['option of every protocol', options, optionsIt],
] as const)('every %s has a title in Italian, and no title is left over', (_, all, italian) => {
  const titles = new Set(all.map(({ title }) => title));
  expect(titles.size).toBeGreaterThan(40);
  expect([...titles].filter((title) => !italian[title])).toEqual([]);
  expect(Object.keys(italian).filter((title) => !titles.has(title))).toEqual([]);
});

it('a title is that of the language, and that of the protocol where there is no other', () => {
  const title = 'Number of the output, from 1';
  expect(titleIn('it', { title }, commandParametersIt)).toBe('Numero dell’uscita, a partire da 1');
  expect(titleIn('en', { title }, commandParametersIt)).toBe(title);
  for (const unknown of ['Colour of the sky', 'constructor'])
    expect(titleIn('it', { title: unknown }, commandParametersIt)).toBe(unknown);
});
