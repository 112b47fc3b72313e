import type { DuckDBIntegerVector, DuckDBScalarFunction, DuckDBUTinyIntVector } from '@duckdb/node-api';
import { itemsOf } from './rows.ts';

/** A function of SQL that adds up what passes through it: rows are written and added up in one pass. */
const NAME = 'tally';

/** What has passed. */
export interface Tallied {
  readonly positions: number;
  /** rows that are not as they were sent */
  readonly damaged: number;
  /** sum of the hashes of rows */
  readonly rows: string;
}

export interface Tally {
  /** Condition that all rows fulfil. `hash`: UBIGINT; `isWhole`: BOOLEAN; both in SQL. */
  of(hash: string, isWhole: string): string;
  read(): Tallied;
}

class Sums implements Tally {
  readonly #id: number;
  #positions = 0;
  #damaged = 0;
  #hashes = 0n;

  constructor(id: number) {
    this.#id = id;
  }

  of(hash: string, isWhole: string): string {
    return `${NAME}(${this.#id}, ${hash}, (${isWhole})::utinyint) = 1`;
  }

  read(): Tallied {
    return { positions: this.#positions, damaged: this.#damaged, rows: String(this.#hashes) };
  }

  /** `isWhole`: 1 or 0 of each row */
  add(hashes: BigUint64Array, isWhole: Uint8Array): void {
    const count = isWhole.length;
    this.#positions += count;
    for (let i = 0; i < count; i++) if (isWhole[i] !== 1) this.#damaged += 1;
    // halves of 32 bits: sums of a vector are exact as numbers, and far cheaper than big integers
    const halves = new Uint32Array(hashes.buffer, hashes.byteOffset, 2 * count);
    let low = 0;
    let high = 0;
    for (let i = 0; i < halves.length; i += 2) {
      low += halves[i]!;
      high += halves[i + 1]!;
    }
    this.#hashes += BigInt(low) + (BigInt(high) << 32n);
  }
}

const open = new Map<number, Sums>();
let last = 0;

/** Runs the work with a tally of its own. */
export async function withTally<T>(work: (tally: Tally) => Promise<T>): Promise<T> {
  last += 1;
  const id = last;
  const sums = new Sums(id);
  open.set(id, sums);
  try {
    return await work(sums);
  } finally {
    open.delete(id);
  }
}

/**
 * The function, for a database. DuckDB calls it in the thread of JavaScript, for some 2,000 rows at a time. It has numbers
 * instead of booleans, which have no typed array: reading and writing them one by one cost more than adding up.
 */
export function tallyFunction(duckdb: typeof import('@duckdb/node-api')): DuckDBScalarFunction {
  return duckdb.DuckDBScalarFunction.create({
    name: NAME,
    // has a side effect: `volatile` makes DuckDB call it once for each row
    volatile: true,
    parameterTypes: [duckdb.INTEGER, duckdb.UBIGINT, duckdb.UTINYINT],
    returnType: duckdb.UTINYINT,
    mainFunction: (_info, input, output) => {
      const ids = input.getColumnVector(0) as DuckDBIntegerVector;
      const hashes = itemsOf<BigUint64Array>(input.getColumnVector(1));
      const isWhole = itemsOf<Uint8Array>(input.getColumnVector(2));
      open.get(ids.getItem(0) ?? 0)?.add(hashes, isWhole);
      const passes = output as DuckDBUTinyIntVector;
      itemsOf<Uint8Array>(passes).fill(1);
      passes.flush();
    },
  });
}
