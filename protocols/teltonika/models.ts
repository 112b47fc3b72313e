import { elements, products } from './elements.ts';
import { cacheByModel, type Meaning, meaningsFor, productsFor } from './io/meanings.ts';

/** What a model's numbers mean. */
export interface Dialect {
  /** by element id; nothing: not named */
  readonly meanings: readonly (Meaning | undefined)[];
  /** ids 195 and 196 are the halves of a driver card's number */
  readonly hasDriverCard: boolean;
  /** neighbour cells stand in ids 287 to 298 and 1200 to 1203 */
  readonly hasCellTriples: boolean;
}

const TRIPLES_MODEL = 'TAT100';

/** The dialect of a model; that of no model where it is not a text. */
export const dialectOf = cacheByModel(
  (model) => `${productsFor(products, model)}${model === TRIPLES_MODEL}`,
  (model): Dialect => {
    const own = productsFor(products, model);
    return {
      meanings: meaningsFor(elements, own),
      hasDriverCard: own.includes('fmb6'),
      hasCellTriples: model === TRIPLES_MODEL,
    };
  },
);
