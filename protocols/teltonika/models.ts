import { type Element, elements, type Family, type Meaning } from './elements.ts';

/** An element as the record loop wants it. One shape for all, so that the loop stays monomorphic. */
export interface Row {
  readonly effect: Meaning['is'];
  readonly key: string;
  /** bytes that the value has by the vendor's list */
  readonly width: number;
  readonly isSigned: boolean;
  readonly divide: number;
  readonly meaning: Meaning;
}

/** What a model's numbers mean. */
export interface Dialect {
  /** by element id; nothing: not named */
  readonly rows: readonly (Row | undefined)[];
  /** ids 195 and 196 are the halves of a driver card's number */
  readonly hasDriverCard: boolean;
  /** neighbour cells stand in ids 287 to 298 and 1200 to 1203 */
  readonly hasCellTriples: boolean;
}

const FMB = /^(?:FM[B-Z].{3}|MTB100|MSP500)$/;
const FMB6 = /^FM.6.{2}$/;
const TAT = /^T.T.{3}$/;

function familiesOf(model: string | undefined): Set<Family> {
  const families = new Set<Family>(['all']);
  if (model === undefined) return families;
  const isFmb6 = FMB6.test(model);
  if (isFmb6) families.add('fmb6');
  if (FMB.test(model)) families.add('fmb').add(isFmb6 ? 'fmb6' : 'fmb-not-6');
  if (TAT.test(model)) families.add('tat');
  if (model === 'FMB003') families.add('FMB003');
  return families;
}

const WIDTHS = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, i64: 8, u64LE: 8 } as const;

function compile(meaning: Meaning): Row {
  const width = WIDTHS[meaning.wire];
  return {
    effect: meaning.is,
    key: 'key' in meaning ? meaning.key : '',
    width,
    isSigned: meaning.wire.startsWith('i'),
    divide: meaning.is === 'number' ? (meaning.divide ?? 1) / (meaning.times ?? 1) : 1,
    meaning,
  };
}

const compiled = new Map<Element, Row>(elements.map((element) => [element, compile(element.meaning)]));
const highest = Math.max(...elements.flatMap(({ ids }) => ids));

function createDialect(families: Set<Family>, model: string | undefined): Dialect {
  const rows = new Array<Row | undefined>(highest + 1).fill(undefined);
  for (const element of elements) {
    if (!element.families.some((family) => families.has(family))) continue;
    for (const id of element.ids) rows[id] = compiled.get(element);
  }
  return { rows, hasDriverCard: families.has('fmb6'), hasCellTriples: model === 'TAT100' };
}

const unknownModel = createDialect(familiesOf(undefined), undefined);
/** by what tells dialects apart, so that it stays small whatever models are named */
const dialects = new Map<string, Dialect>();

/** The dialect of a model; that of no model where it is not a text. */
export function dialectOf(model: string | number | boolean | undefined): Dialect {
  if (typeof model !== 'string' || model === '') return unknownModel;
  const families = familiesOf(model);
  const name = `${[...families].sort().join()}${model === 'TAT100' ? ',TAT100' : ''}`;
  const known = dialects.get(name);
  if (known !== undefined) return known;
  const dialect = createDialect(families, model);
  dialects.set(name, dialect);
  return dialect;
}
