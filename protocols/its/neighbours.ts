import type { Cell } from '#codec';
import { parseHex } from '#codec/text';

const PARTS = 3;
const LEVEL = /^-?\d{1,3}$/;
const NO_CELL = 0xffff;

const isEmpty = (triple: readonly string[]): boolean => triple.every((part) => /^0*$/.test(part));

/** The makers send id, area and level of four cells in different orders: the level has fewer digits than the others. */
function columns(
  triples: readonly (readonly string[])[],
  lac: string,
): readonly [lac: number, cid: number, dbm: number] {
  const dbm = triples.every((triple) => LEVEL.test(triple[2]!)) ? 2 : 0;
  const [first, second] = dbm === 2 ? [0, 1] : [1, 2];
  // most neighbours are in the area of the cell; AIS 140 puts the id before the area
  const count = (at: number): number => triples.filter((triple) => triple[at] === lac).length;
  // or all of them are in another one
  const isOne = (at: number): boolean => triples.length > 1 && new Set(triples.map((triple) => triple[at])).size === 1;
  const isAreaFirst = count(first) > count(second) || (count(second) === 0 && isOne(first) && !isOne(second));
  return isAreaFirst ? [first, second, dbm] : [second, first, dbm];
}

/** Neighbouring cells: four triples. `near` is the cell that serves, `lac` its area as it was sent. */
export function neighbours(text: string, near: Pick<Cell, 'mcc' | 'mnc'>, lac: string): Cell[] {
  const parts = text.replace(/[()]/g, '').replace(/,$/, '').toUpperCase().split(',');
  // two fields a cell: which of id and area they are is not said
  if (parts.length % PARTS !== 0) return [];
  const triples = Array.from({ length: Math.floor(parts.length / PARTS) }, (_, n) =>
    parts.slice(n * PARTS, (n + 1) * PARTS),
  ).filter((triple) => !isEmpty(triple));
  const [lacAt, cidAt, dbmAt] = columns(triples, lac.toUpperCase());
  const { mcc, mnc } = near;
  return triples.flatMap((triple): Cell[] => {
    const [area, cid, level] = [parseHex(triple[lacAt]!), parseHex(triple[cidAt]!), triple[dbmAt]!];
    if (!area || !cid || area === NO_CELL || !LEVEL.test(level)) return [];
    return [{ mcc, mnc, lac: area, cid, rssi: -Math.abs(Number(level)) }];
  });
}
