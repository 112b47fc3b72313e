import { AT, FLAG, ID_BYTES, PRESENT, positionPartsOf } from '../../../../contract/telemetry/index.ts';
import { type Arena, ArrayWriter } from '../../../database/index.ts';
import { array, bytesArray, type Column, shared } from '../columns/index.ts';
import type { PositionRow } from './row.ts';
import { areSame, inOrderOfDevices, type PackedSource, type Survey, survey } from './survey.ts';

/** Packed positions of known devices, at least one. */
export interface Packed extends PackedSource {
  /** where columns are made */
  readonly arena: Arena;
  row(index: number): PositionRow;
}

/** An array of an optional number or time, and where that stands in a record. */
interface Optional {
  readonly out: ArrayWriter;
  readonly at: number;
  readonly bit: number;
}

/** The arrays that are written in the pass over all records. */
interface Arrays {
  readonly deviceId: ArrayWriter;
  readonly time: ArrayWriter;
  readonly id: ArrayWriter;
  readonly numbers: readonly Optional[];
  readonly instants: readonly Optional[];
  readonly serverTime: ArrayWriter;
  readonly attributes: ArrayWriter;
  readonly cleaned: CleanedTexts;
}

interface CleanedTexts {
  readonly texts: ReadonlyMap<number, Buffer>;
  readonly bytes: number;
}

/** Columns in their order, of which some are complete only once all records have been written. */
class OpenColumns {
  readonly #columns: (() => Column)[] = [];
  readonly #rows: Packed;

  constructor(rows: Packed) {
    this.#rows = rows;
  }

  add(column: Column): void {
    this.#columns.push(() => column);
  }

  array(name: string, type: 'int8' | 'timestamptz' | 'bytea' | 'float8' | 'json', bytes: number): ArrayWriter {
    const out = new ArrayWriter(this.#rows.arena, type, this.#rows.count, bytes);
    this.#columns.push(() => array(name, type, out));
    return out;
  }

  finish(): Column[] {
    return this.#columns.map((column) => column());
  }
}

/**
 * Columns of packed positions, by device: their bytes are copied, none of them becomes a value of its own. All arrays are
 * written in one pass over the records.
 */
export function packedColumns(rows: Packed): Column[] {
  const found = survey(rows);
  const order = inOrderOfDevices(rows.devices);
  const columns = new OpenColumns(rows);
  writeArrays(rows, order, lay(columns, rows, found, order));
  return columns.finish();
}

function lay(columns: OpenColumns, rows: Packed, found: Survey, order: Uint32Array): Arrays {
  const eight = 8 * rows.count;
  const numbers: Optional[] = [];
  const number = (name: 'latitude' | 'longitude' | 'speed' | 'course' | 'altitude' | 'accuracy'): void => {
    numbers.push({ out: columns.array(name, 'float8', eight), at: AT[name], bit: PRESENT[name] });
  };
  const oftenShared = (name: 'altitude' | 'accuracy', isOne: boolean): void => {
    if (isOne) columns.add(shared(name, 'float8', rows.row(0)[name] ?? null));
    else number(name);
  };
  const instants: Optional[] = [];
  const oftenTime = (name: string, field: 'deviceTime' | 'fixTime', isTime: boolean): void => {
    if (isTime) columns.add({ name, type: 'timestamptz', is: 'column', value: 'time' });
    else instants.push({ out: columns.array(name, 'timestamptz', eight), at: AT[field], bit: PRESENT[field] });
  };
  const deviceId = columns.array('device_id', 'int8', eight);
  const time = columns.array('time', 'timestamptz', eight);
  const id = columns.array('id', 'bytea', (ID_BYTES + 1) * rows.count);
  columns.add(tenants(rows, found, order));
  number('latitude');
  number('longitude');
  number('speed');
  number('course');
  columns.add(flags(rows, found, order, 'valid', FLAG.valid, 0));
  columns.add(flags(rows, found, order, 'outdated', FLAG.outdated, 0));
  oftenShared('altitude', found.isOneAltitude);
  oftenShared('accuracy', found.isOneAccuracy);
  oftenTime('device_time', 'deviceTime', found.isDeviceTime);
  oftenTime('fix_time', 'fixTime', found.isFixTime);
  const serverTime = columns.array('server_time', 'timestamptz', eight);
  columns.add(protocols(rows, found, order));
  columns.add(networks(rows, found, order));
  const cleaned = cleanedAttributes(rows, found);
  const attributes = columns.array('attributes', 'json', found.attributeBytes + cleaned.bytes);
  columns.add(flags(rows, found, order, 'ignition', FLAG.ignitionOn, FLAG.ignitionKnown));
  // records that are suspect are not stored by this path
  columns.add(shared('clock_suspect', 'bool', false));
  return { deviceId, time, id, numbers, instants, serverTime, attributes, cleaned };
}

function writeArrays({ count, view, starts, devices, times }: Packed, order: Uint32Array, arrays: Arrays): void {
  const { deviceId, time, id, numbers, instants, serverTime, attributes, cleaned } = arrays;
  for (let n = 0; n < count; n++) {
    const index = order[n]!;
    const start = starts[index]!;
    const present = view.getUint16(start + AT.present);
    deviceId.int8(devices[index]!.id);
    time.timestamp(times[index]!);
    id.bytes(view, start + AT.id, start + AT.id + ID_BYTES, 1);
    for (let i = 0; i < numbers.length; i++) {
      const { out, at, bit } = numbers[i]!;
      if (present & bit) out.float8(view.getFloat64(start + at));
      else out.absent();
    }
    for (let i = 0; i < instants.length; i++) {
      const { out, at, bit } = instants[i]!;
      if (present & bit) out.timestamp(view.getFloat64(start + at));
      else out.absent();
    }
    serverTime.timestamp(view.getFloat64(start + AT.serverTime));
    const clean = cleaned.texts.size === 0 ? undefined : cleaned.texts.get(index);
    if (clean !== undefined) attributes.buffer(clean);
    else {
      const parts = positionPartsOf(view, start);
      attributes.bytes(view, parts.attributes, parts.end);
    }
  }
}

/** Of the records that may have characters which the database does not accept. */
function cleanedAttributes(rows: Packed, { flags }: Survey): CleanedTexts {
  const { view, starts, count } = rows;
  const texts = new Map<number, Buffer>();
  let bytes = 0;
  if ((flags.some & FLAG.escaped) === 0) return { texts, bytes };
  for (let index = 0; index < count; index++) {
    if ((view.getUint8(starts[index]! + AT.flags) & FLAG.escaped) === 0) continue;
    const text = Buffer.from(rows.row(index).attributes);
    texts.set(index, text);
    bytes += text.length;
  }
  return { texts, bytes };
}

function tenants({ arena, count, devices }: Packed, { isOneTenant }: Survey, order: Uint32Array): Column {
  if (isOneTenant) return shared('tenant_id', 'int4', devices[0]!.tenantId);
  const out = new ArrayWriter(arena, 'int4', count, 4 * count);
  for (const index of order) out.int4(devices[index]!.tenantId);
  return array('tenant_id', 'int4', out);
}

/** Truths: null if `known` (unless that is 0) is not set. */
function flags(
  { arena, count, view, starts }: Packed,
  found: Survey,
  order: Uint32Array,
  name: string,
  flag: number,
  known: number,
): Column {
  const isNull = (bits: number): boolean => known !== 0 && (bits & known) === 0;
  if (areSame(found.flags, flag | known)) {
    const { every } = found.flags;
    return shared(name, 'bool', isNull(every) ? null : (every & flag) !== 0);
  }
  const out = new ArrayWriter(arena, 'bool', count, count);
  for (const index of order) {
    const bits = view.getUint8(starts[index]! + AT.flags);
    if (isNull(bits)) out.absent();
    else out.bool((bits & flag) !== 0);
  }
  return array(name, 'bool', out);
}

/** One gateway's batch is of few protocols. */
function protocols(rows: Packed, { isOneProtocol }: Survey, order: Uint32Array): Column {
  if (isOneProtocol) return shared('protocol', 'text', rows.row(0).protocol ?? null);
  const texts = Array.from(order, (index) => Buffer.from(rows.row(index).protocol ?? ''));
  return bytesArray(rows.arena, 'protocol', 'text', texts);
}

function networks(rows: Packed, { present }: Survey, order: Uint32Array): Column {
  const { view, starts } = rows;
  if ((present.some & PRESENT.network) === 0) return shared('network', 'json', null);
  const values = Array.from(order, (index) =>
    view.getUint16(starts[index]! + AT.present) & PRESENT.network ? rows.row(index).network! : null,
  );
  if (values.every((value) => value === values[0])) return shared('network', 'json', values[0] ?? null);
  const texts = values.map((value) => (value === null ? undefined : Buffer.from(value)));
  return bytesArray(rows.arena, 'network', 'json', texts);
}
