import type { Attributes, DeviceOptions, NamedValue } from '#codec';
import { cacheByModel } from '../io/meanings.ts';
import { namedValues, namesById } from '../io/names.ts';
import { dialectOf } from '../models.ts';
import { common, lines } from './lines.ts';

const linesOf = (model: string) => lines.filter(({ models }) => models.test(model));

const namesOf = cacheByModel(
  (model) =>
    linesOf(model)
      .map(({ models }) => models.source)
      .join(),
  (model) => namesById(...common, ...linesOf(model).map(({ elements }) => elements)),
);

/** The vendor's name, the scaled value and its unit for each element that the attributes hold, by its name. */
export const named = (attributes: Attributes, { model }: DeviceOptions): Readonly<Record<string, NamedValue>> =>
  namedValues(attributes, namesOf(model), dialectOf(model).meanings);
