import { AT, FLAG, ID_BYTES, idOf, PRESENT, positionPartsOf } from '../../../../contract/telemetry/index.ts';
import { type Arena, ownMemory, storableJson, storableText } from '../../../database/index.ts';
import type { KnownDevice } from '../../../devices/directory/index.ts';
import type { Column } from '../columns/index.ts';
import { type ByTenant, countTenants, type PositionBatch } from './batch.ts';
import type { KnownLimits, Span } from './known.ts';
import { type Newest, newestOf, type Records } from './newest.ts';
import { packedColumns } from './packed-columns.ts';
import type { PositionRow } from './row.ts';

const KEY_BYTES = 8 + 8 + ID_BYTES + 1;

/**
 * Packed positions of known devices, checked by `isPacked`: their values are copied into the columns as bytes, and
 * decoded into rows only on demand.
 */
export class PackedPositions implements PositionBatch, Records {
  readonly bytes: Buffer;
  readonly view: DataView;
  /** where in `bytes` each position begins */
  readonly starts: readonly number[];
  readonly devices: readonly KnownDevice[];
  /** fix, device or server time, the first that there is; epoch ms */
  readonly times: Float64Array;
  readonly arena: Arena;
  #rows: readonly PositionRow[] | undefined;

  constructor(bytes: Buffer, starts: readonly number[], devices: readonly KnownDevice[], arena = ownMemory) {
    this.arena = arena;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.starts = starts;
    this.devices = devices;
    this.times = new Float64Array(starts.length);
    for (let index = 0; index < starts.length; index++) this.times[index] = this.#timeOf(starts[index]!);
  }

  get count(): number {
    return this.starts.length;
  }

  /** Those that are not at these places. */
  without(places: ReadonlySet<number>): PackedPositions {
    if (places.size === 0) return this;
    const isKept = (_: unknown, index: number): boolean => !places.has(index);
    return new PackedPositions(this.bytes, this.starts.filter(isKept), this.devices.filter(isKept), this.arena);
  }

  /** What distinguishes a record from all others. */
  key(index: number): Pick<PositionRow, 'tenantId' | 'deviceId' | 'time' | 'id'> {
    const { id: deviceId, tenantId } = this.devices[index]!;
    return { tenantId, deviceId, time: this.times[index]!, id: idOf(this.bytes, this.starts[index]!) };
  }

  oldest(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.times.length; index++) oldest = Math.min(oldest, this.times[index]!);
    return oldest;
  }

  columns(): readonly Column[] {
    return packedColumns(this);
  }

  rows(): readonly PositionRow[] {
    this.#rows ??= this.starts.map((_, index) => this.row(index));
    return this.#rows;
  }

  tenants(): ByTenant {
    return countTenants(this.devices);
  }

  newest(now: number, limits: KnownLimits): readonly Newest[] {
    return newestOf(this, now, limits);
  }

  deviceId(index: number): number {
    return this.devices[index]!.id;
  }

  time(index: number): number {
    return this.times[index]!;
  }

  serverTime(index: number): number {
    return this.view.getFloat64(this.starts[index]! + AT.serverTime);
  }

  /** Latitude and longitude of a valid fix. */
  place(index: number): readonly [latitude: number, longitude: number] | undefined {
    const start = this.starts[index]!;
    const flags = this.view.getUint8(start + AT.flags);
    const both = PRESENT.latitude | PRESENT.longitude;
    if ((flags & (FLAG.valid | FLAG.outdated)) !== FLAG.valid) return undefined;
    if ((this.view.getUint16(start + AT.present) & both) !== both) return undefined;
    return [this.view.getFloat64(start + AT.latitude), this.view.getFloat64(start + AT.longitude)];
  }

  /** Keeps the coordinates of a record, which are no place of the device. Before columns or rows are made. */
  invalidate(index: number): void {
    const at = this.starts[index]! + AT.flags;
    this.view.setUint8(at, this.view.getUint8(at) & ~FLAG.valid);
  }

  valuesAt(index: number): number {
    const start = this.starts[index]!;
    const hasDeviceTime = this.view.getUint16(start + AT.present) & PRESENT.deviceTime;
    return hasDeviceTime ? this.view.getFloat64(start + AT.deviceTime) : this.times[index]!;
  }

  attributes(index: number): Span {
    const { attributes, end } = positionPartsOf(this.view, this.starts[index]!);
    return { view: this.view, start: attributes, end };
  }

  /** JSON text of a record that begins at `start`. */
  #json(start: number, from: number, to: number): string {
    const text = this.bytes.toString('utf8', from, to);
    return this.view.getUint8(start + AT.flags) & FLAG.escaped ? storableJson(JSON.parse(text)) : text;
  }

  /** In the format of packKeys. */
  keys(): Buffer {
    const { view, starts, devices, times } = this;
    const keys = Buffer.allocUnsafeSlow(starts.length * KEY_BYTES);
    const out = new DataView(keys.buffer);
    let at = 0;
    for (let index = 0; index < starts.length; index++) {
      const start = starts[index]!;
      out.setFloat64(at, devices[index]!.id);
      out.setFloat64(at + 8, times[index]!);
      for (let i = 0; i < ID_BYTES; i += 4) out.setInt32(at + 16 + i, view.getInt32(start + i));
      out.setUint8(at + KEY_BYTES - 1, 0);
      at += KEY_BYTES;
    }
    return keys;
  }

  row(index: number): PositionRow {
    const { view, bytes } = this;
    const start = this.starts[index]!;
    const flags = view.getUint8(start + AT.flags);
    const present = view.getUint16(start + AT.present);
    const optional = (name: keyof typeof PRESENT & keyof typeof AT): number | undefined =>
      present & PRESENT[name] ? view.getFloat64(start + AT[name]) : undefined;
    const { protocol, network, attributes, end } = positionPartsOf(view, start);
    return {
      deviceId: this.devices[index]!.id,
      tenantId: this.devices[index]!.tenantId,
      time: this.times[index]!,
      id: idOf(bytes, start),
      latitude: optional('latitude'),
      longitude: optional('longitude'),
      speed: optional('speed'),
      course: optional('course'),
      valid: (flags & FLAG.valid) !== 0,
      outdated: (flags & FLAG.outdated) !== 0,
      altitude: optional('altitude'),
      accuracy: optional('accuracy'),
      deviceTime: optional('deviceTime'),
      fixTime: optional('fixTime'),
      serverTime: view.getFloat64(start + AT.serverTime),
      protocol: storableText(bytes.toString('utf8', protocol, network)),
      network: present & PRESENT.network ? this.#json(start, network, attributes) : undefined,
      attributes: this.#json(start, attributes, end),
      ignition: flags & FLAG.ignitionKnown ? (flags & FLAG.ignitionOn) !== 0 : undefined,
    };
  }

  #timeOf(start: number): number {
    const present = this.view.getUint16(start + AT.present);
    if (present & PRESENT.fixTime) return this.view.getFloat64(start + AT.fixTime);
    return this.view.getFloat64(start + (present & PRESENT.deviceTime ? AT.deviceTime : AT.serverTime));
  }

  /** As hasFix has it. */
  hasFix(index: number): boolean {
    const start = this.starts[index]!;
    const flags = this.view.getUint8(start + AT.flags);
    const present = this.view.getUint16(start + AT.present);
    const both = PRESENT.latitude | PRESENT.longitude;
    if (flags & FLAG.outdated || (present & both) !== both) return false;
    if (flags & FLAG.valid) return true;
    if ((present & (PRESENT.fixTime | PRESENT.deviceTime)) === 0) return false;
    return this.view.getFloat64(start + AT.latitude) !== 0 || this.view.getFloat64(start + AT.longitude) !== 0;
  }
}
