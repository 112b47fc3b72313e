import { expect, it } from 'vitest';
import { definitionsOf } from '../../../src/catalogue/command-definitions.ts';
import { loadCatalogue } from '../../../src/catalogue/index.ts';
import { commandParametersIt } from '../../../web/src/i18n/command-parameters-it.ts';
import { parameterTitle } from '../../../web/src/pages/commands/parameter-title.ts';

const catalogue = await loadCatalogue();
const titles = new Set(
  catalogue.protocols.flatMap(({ id }) =>
    definitionsOf(catalogue, id).flatMap(({ parameters }) => parameters.map(({ title }) => title)),
  ),
);

it('every parameter of every protocol has a title in Italian, and no title is left over', () => {
  expect(titles.size).toBeGreaterThan(40);
  expect([...titles].filter((title) => !commandParametersIt[title])).toEqual([]);
  expect(Object.keys(commandParametersIt).filter((title) => !titles.has(title))).toEqual([]);
});

it('a title is that of the language, and that of the protocol where there is no other', () => {
  const title = 'Number of the output, from 1';
  expect(parameterTitle('it', { title })).toBe('Numero dell’uscita, a partire da 1');
  expect(parameterTitle('en', { title })).toBe(title);
  for (const unknown of ['Colour of the sky', 'constructor'])
    expect(parameterTitle('it', { title: unknown })).toBe(unknown);
});
