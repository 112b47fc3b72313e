import { type Arena, ArrayWriter } from '../../../platform/postgres/index.ts';
import { AT, FLAG, HEAD_BYTES, ID_BYTES, PRESENT } from '../../../telemetry/index.ts';
import type { KnownDevice } from '../../device-directory/index.ts';
import { array, bytesArray, type Column, shared } from '../columns/index.ts';
import type { PositionRow } from './row.ts';

type Optional = keyof typeof PRESENT & keyof typeof AT;

/** Packed positions as their columns need them; see PackedRows. */
export interface Packed {
  /** where columns are made */
  readonly arena: Arena;
  readonly count: number;
  readonly view: DataView;
  readonly starts: readonly number[];
  readonly devices: readonly KnownDevice[];
  readonly times: Float64Array;
  texts(start: number): Texts;
  row(index: number): PositionRow;
}

/** where the texts of a packed position lie */
export interface Texts {
  readonly protocol: number;
  readonly network: number;
  readonly attributes: number;
  readonly end: number;
}

/** Columns of packed positions: their bytes are copied, none of them becomes a value of its own. */
export function packedColumns(rows: Packed): Column[] {
  return [
    deviceIds(rows),
    recordTimes(rows),
    ids(rows),
    tenants(rows),
    numbers(rows, 'latitude', 'latitude'),
    numbers(rows, 'longitude', 'longitude'),
    numbers(rows, 'speed', 'speed'),
    numbers(rows, 'course', 'course'),
    flags(rows, 'valid', FLAG.valid, 0),
    flags(rows, 'outdated', FLAG.outdated, 0),
    oftenShared(rows, 'altitude', 'altitude'),
    oftenShared(rows, 'accuracy', 'accuracy'),
    optionalTimes(rows, 'device_time', 'deviceTime'),
    optionalTimes(rows, 'fix_time', 'fixTime'),
    serverTimes(rows),
    protocols(rows),
    networks(rows),
    attributes(rows),
    flags(rows, 'ignition', FLAG.ignitionOn, FLAG.ignitionKnown),
    // records that are suspect are not stored by this path
    shared('clock_suspect', 'bool', false),
  ];
}

function deviceIds(rows: Packed): Column {
  const { devices, count } = rows;
  const out = new ArrayWriter(rows.arena, 'int8', count, 8 * count);
  for (let i = 0; i < count; i++) out.int8(devices[i]!.id);
  return array('device_id', 'int8', out);
}

function recordTimes(rows: Packed): Column {
  const { times, count } = rows;
  const out = new ArrayWriter(rows.arena, 'timestamptz', count, 8 * count);
  for (let i = 0; i < count; i++) out.timestamp(times[i]!);
  return array('time', 'timestamptz', out);
}

function ids(rows: Packed): Column {
  const { view, starts, count } = rows;
  const out = new ArrayWriter(rows.arena, 'bytea', count, (ID_BYTES + 1) * count);
  for (let i = 0; i < count; i++) out.bytes(view, starts[i]! + AT.id, starts[i]! + AT.id + ID_BYTES, 1);
  return array('id', 'bytea', out);
}

function tenants(rows: Packed): Column {
  const { devices, count } = rows;
  const first = devices[0]!.tenantId;
  if (devices.every(({ tenantId }) => tenantId === first)) return shared('tenant_id', 'int4', first);
  const out = new ArrayWriter(rows.arena, 'int4', count, 4 * count);
  for (let i = 0; i < count; i++) out.int4(devices[i]!.tenantId);
  return array('tenant_id', 'int4', out);
}

function numbers(rows: Packed, name: string, field: Optional): Column {
  const { view, starts, count } = rows;
  const at = AT[field];
  const bit = PRESENT[field];
  const out = new ArrayWriter(rows.arena, 'float8', count, 8 * count);
  for (let i = 0; i < count; i++) {
    const start = starts[i]!;
    if (view.getUint16(start + AT.present) & bit) out.float8(view.getFloat64(start + at));
    else out.absent();
  }
  return array(name, 'float8', out);
}

function oftenShared(rows: Packed, name: string, field: Optional): Column {
  const { view, starts } = rows;
  const valueAt = (start: number): number | null =>
    view.getUint16(start + AT.present) & PRESENT[field] ? view.getFloat64(start + AT[field]) : null;
  const first = valueAt(starts[0]!);
  return starts.every((start) => valueAt(start) === first) ? shared(name, 'float8', first) : numbers(rows, name, field);
}

/** Truths: null where `known` (unless that is 0) is not set. */
function flags(rows: Packed, name: string, flag: number, known: number): Column {
  const { view, starts, count } = rows;
  const mask = flag | known;
  const first = view.getUint8(starts[0]! + AT.flags) & mask;
  const isNull = (bits: number): boolean => known !== 0 && (bits & known) === 0;
  if (starts.every((start) => (view.getUint8(start + AT.flags) & mask) === first)) {
    return shared(name, 'bool', isNull(first) ? null : (first & flag) !== 0);
  }
  const out = new ArrayWriter(rows.arena, 'bool', count, count);
  for (let i = 0; i < count; i++) {
    const bits = view.getUint8(starts[i]! + AT.flags);
    if (isNull(bits)) out.absent();
    else out.bool((bits & flag) !== 0);
  }
  return array(name, 'bool', out);
}

function optionalTimes(rows: Packed, name: string, field: Optional): Column {
  const { view, starts, times, count } = rows;
  const at = AT[field];
  const bit = PRESENT[field];
  let isOwn = true;
  for (let i = 0; i < count && isOwn; i++) {
    const start = starts[i]!;
    isOwn = (view.getUint16(start + AT.present) & bit) !== 0 && view.getFloat64(start + at) === times[i];
  }
  if (isOwn) return { name, type: 'timestamptz', is: 'column', value: 'time' };
  const out = new ArrayWriter(rows.arena, 'timestamptz', count, 8 * count);
  for (let i = 0; i < count; i++) {
    const start = starts[i]!;
    if (view.getUint16(start + AT.present) & bit) out.timestamp(view.getFloat64(start + at));
    else out.absent();
  }
  return array(name, 'timestamptz', out);
}

function serverTimes(rows: Packed): Column {
  const { view, starts, count } = rows;
  const out = new ArrayWriter(rows.arena, 'timestamptz', count, 8 * count);
  for (let i = 0; i < count; i++) out.timestamp(view.getFloat64(starts[i]! + AT.serverTime));
  return array('server_time', 'timestamptz', out);
}

/** One gateway's batch is of few protocols, so a text that is the same as the one before is not made again. */
function protocols(rows: Packed): Column {
  const { starts, view } = rows;
  const first = rows.texts(starts[0]!);
  const length = first.network - first.protocol;
  const isSame = starts.every((start) => {
    let at = start + HEAD_BYTES + view.getUint8(start + AT.deviceLength);
    if (view.getUint8(start + AT.protocolLength) !== length) return false;
    for (let i = 0; i < length; i++) if (view.getUint8(at++) !== view.getUint8(first.protocol + i)) return false;
    return true;
  });
  if (isSame) return shared('protocol', 'text', rows.row(0).protocol ?? null);
  const texts = starts.map((_, index) => Buffer.from(rows.row(index).protocol ?? ''));
  return bytesArray(rows.arena, 'protocol', 'text', texts);
}

function networks(rows: Packed): Column {
  const { view, starts } = rows;
  const has = (start: number): boolean => (view.getUint16(start + AT.present) & PRESENT.network) !== 0;
  if (!starts.some(has)) return shared('network', 'json', null);
  const values = starts.map((start, index) => (has(start) ? rows.row(index).network! : null));
  if (values.every((value) => value === values[0])) return shared('network', 'json', values[0] ?? null);
  const texts = values.map((value) => (value === null ? undefined : Buffer.from(value)));
  return bytesArray(rows.arena, 'network', 'json', texts);
}

function attributes(rows: Packed): Column {
  const { view, starts, count } = rows;
  let most = 0;
  const cleaned = new Map<number, Buffer>();
  for (let i = 0; i < count; i++) {
    const start = starts[i]!;
    if (view.getUint8(start + AT.flags) & FLAG.escaped) {
      const text = Buffer.from(rows.row(i).attributes);
      cleaned.set(i, text);
      most += text.length;
    } else most += view.getUint32(start + AT.attributesLength);
  }
  const out = new ArrayWriter(rows.arena, 'json', count, most);
  for (let i = 0; i < count; i++) {
    const text = cleaned.size === 0 ? undefined : cleaned.get(i);
    if (text === undefined) {
      const { attributes: from, end } = rows.texts(starts[i]!);
      out.bytes(view, from, end);
    } else out.buffer(text);
  }
  return array('attributes', 'json', out);
}
