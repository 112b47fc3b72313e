import type { FileHandle } from 'node:fs/promises';
import { readTimestamp } from '../../database/index.ts';
import { Column, type ColumnSpec, wordAt } from './plain/column.ts';
import { PlainFile } from './plain/file.ts';

/** What PostgreSQL sends of a column; what an id is in the file, see ReceivedRows. `time`: µs since 2000, as int64. */
export interface SentColumn {
  readonly name: string;
  readonly kind: ColumnSpec['kind'] | 'time' | 'id';
  readonly isOptional?: boolean;
}

/** rows of a group, a multiple of DuckDB's vectors */
const GROUP_ROWS = 20_480;
/** and its texts, bytes: a group of many long ones ends earlier */
const GROUP_BYTES = 16 * 1024 ** 2;

/** PostgreSQL, COPY, "Binary Format": signature, flags, and the length of what follows them. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const HEADER = SIGNATURE.length + 8;
/** instead of the number of columns */
const END = -1;

const ID_BYTES = 17;
/** of an id of 128 bits: what neither the device nor the time gives, and what the device gives */
const [OWN, OF_DEVICE] = [5, 5];

export class RowsError extends Error {
  override readonly name = 'RowsError';
}

/**
 * Rows that PostgreSQL sends in its binary format, on their way into a file that DuckDB reads. A column `id` becomes two, as in
 * the files of the history (files/ids): `id` without what the device and the time of the row give, and `id_device`. The column
 * `time` comes before it.
 */
export class ReceivedRows {
  /** undefined: the id */
  readonly #fields: readonly (Column | undefined)[];
  readonly #ids: IdColumns;
  readonly #time: Column;
  readonly #columns: readonly Column[];
  readonly #file: PlainFile;
  #hasBegun = false;
  #hasEnded = false;
  /** of the group */
  #rows = 0;

  constructor(file: FileHandle, sent: readonly SentColumn[]) {
    this.#ids = new IdColumns(GROUP_ROWS);
    this.#fields = sent.map(({ kind, ...spec }) =>
      kind === 'id' ? undefined : new Column({ ...spec, kind: kind === 'time' ? 'int64' : kind }, GROUP_ROWS),
    );
    const timeAt = sent.findIndex(({ kind }) => kind === 'time');
    if (timeAt < 0 || this.#fields.indexOf(undefined) < timeAt) throw new TypeError('no time before the id');
    this.#time = this.#fields[timeAt]!;
    this.#columns = this.#fields.flatMap((field) => field ?? this.#ids.columns);
    this.#file = new PlainFile(file, this.#columns);
  }

  /** Takes whole rows, as they come. Throws RowsError. */
  async write(rows: Buffer): Promise<void> {
    const view = new DataView(rows.buffer, rows.byteOffset, rows.length);
    let at = 0;
    if (!this.#hasBegun) {
      at = readHeader(rows);
      this.#hasBegun = true;
    }
    while (at < rows.length) {
      at = this.#take(rows, view, at);
      if (this.#isFull()) await this.#pass();
    }
  }

  /** After the last row: the file is complete. */
  async end(): Promise<void> {
    if (!this.#hasEnded) throw new RowsError('rows without their end');
    if (this.#rows > 0) await this.#pass();
    await this.#file.end();
  }

  #isFull(): boolean {
    if (this.#rows === GROUP_ROWS) return true;
    // sizes are looked at now and then
    return this.#rows % 64 === 0 && this.#columns.some(({ size }) => size > GROUP_BYTES);
  }

  async #pass(): Promise<void> {
    await this.#file.writeGroup(this.#rows);
    this.#rows = 0;
  }

  /** One row. Where the next one begins. */
  #take(rows: Buffer, view: DataView, start: number): number {
    const count = view.getInt16(start);
    let at = start + 2;
    if (count === END) {
      this.#hasEnded = true;
      return at;
    }
    if (count !== this.#fields.length) throw new RowsError(`a row of ${count} columns`);
    const row = this.#rows;
    let time = 0;
    for (const field of this.#fields) {
      const length = wordAt(rows, at);
      at += 4;
      if (length < 0) {
        if (field?.isOptional !== true) throw new RowsError('a row without a value');
        continue;
      }
      if (at + length > rows.length) throw new RowsError('a row that is not whole');
      if (field === undefined) {
        this.#ids.add(row, rows, at, length, time);
      } else if (field.width === 0) {
        field.addBytes(row, rows, at, length);
      } else {
        if (length !== field.width) throw new RowsError(`${field.spec.name}: ${length} bytes`);
        field.addReversed(row, rows, at);
        if (field === this.#time) time = readTimestamp(view, at);
      }
      at += length;
    }
    this.#rows += 1;
    return at;
  }
}

function readHeader(rows: Buffer): number {
  if (rows.length < HEADER || !rows.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
    throw new RowsError('rows in another format');
  }
  return HEADER + rows.readUInt32BE(HEADER - 4);
}

class IdColumns {
  readonly columns: readonly [Column, Column];
  readonly #id: Column;
  readonly #device: Column;

  constructor(rows: number) {
    this.#id = new Column({ name: 'id', kind: 'bytes' }, rows);
    this.#device = new Column({ name: 'id_device', kind: 'bytes', isOptional: true }, rows);
    this.columns = [this.#id, this.#device];
  }

  /** `time`: of the row, epoch ms */
  add(row: number, rows: Buffer, at: number, length: number, time: number): void {
    const is128 = length === ID_BYTES && rows[at + ID_BYTES - 1] === 0;
    if (is128 && isTime(rows, at + OWN + OF_DEVICE, time)) {
      this.#id.addBytes(row, rows, at, OWN);
      this.#device.addBytes(row, rows, at + OWN, OF_DEVICE);
    } else {
      this.#id.addBytes(row, rows, at, is128 ? ID_BYTES - 1 : length);
    }
  }
}

/** Whether six bytes are a time, epoch ms. */
const isTime = (rows: Buffer, at: number, time: number): boolean =>
  ((rows[at]! << 8) | rows[at + 1]!) === Math.floor(time / 2 ** 32) && wordAt(rows, at + 2) === (time | 0);
