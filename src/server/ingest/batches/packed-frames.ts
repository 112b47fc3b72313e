import type { GatewayEvent } from '../../../contract/events.ts';
import { FRAME_AT, type FrameParts, framePartsOf, TRANSPORTS, unpackFrame } from '../../../contract/telemetry/index.ts';
import { type Arena, ArrayWriter, ownMemory } from '../../database/index.ts';
import type { KnownDevice } from '../../devices/directory/index.ts';
import { array, bytesArray, type Column, shared } from './columns/index.ts';
import { NO_RECORDS, type PackedRecords } from './packed-records.ts';

/** Packed frames, checked by `isPackedFrame`, with their devices; made into columns of `timeline`. */
export class PackedFrames {
  readonly seqs: readonly number[];
  /** undefined: received before the device had identified itself */
  readonly devices: readonly (KnownDevice | undefined)[];
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];
  readonly #parts: readonly FrameParts[];
  /** memory for the columns */
  readonly #arena: Arena;

  constructor(
    { bytes, seqs, starts, ends }: PackedRecords,
    devices: readonly (KnownDevice | undefined)[],
    arena = ownMemory,
  ) {
    this.#arena = arena;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.seqs = seqs;
    this.devices = devices;
    this.#starts = starts;
    this.#ends = ends;
    this.#parts = starts.map((start) => framePartsOf(this.#view, start));
  }

  get count(): number {
    return this.seqs.length;
  }

  /** epoch ms */
  at(index: number): number {
    return this.#view.getFloat64(this.#starts[index]! + FRAME_AT.at);
  }

  event(index: number): GatewayEvent {
    const { head, bytes } = unpackFrame(this.#bytes.subarray(this.#starts[index], this.#ends[index]));
    return { type: 'frame', seq: this.seqs[index]!, ...head, bytes: bytes.toString('base64') };
  }

  /** Columns of `timeline`. */
  columns(gateway: string): Column[] {
    return [
      this.#ids('device_id', 'int8', (device) => device?.id ?? 0),
      this.#times(),
      this.#ids('tenant_id', 'int4', (device) => device?.tenantId ?? 0),
      shared('kind', 'text', 'frame'),
      shared('gateway', 'text', gateway),
      this.#texts('conn', (parts) => [parts.conn, parts.protocol]),
      this.#texts('protocol', (parts) => [parts.protocol, parts.remote]),
      this.#transports(),
      this.#texts('remote', (parts) => [parts.remote, parts.bytes]),
      this.#frames(),
      shared('detail', 'json', null),
    ];
  }

  #ids(name: string, type: 'int8' | 'int4', of: (device: KnownDevice | undefined) => number): Column {
    const first = of(this.devices[0]);
    if (this.devices.every((device) => of(device) === first)) return shared(name, type, first);
    const out = new ArrayWriter(this.#arena, type, this.count, 8 * this.count);
    for (const device of this.devices) out[type](of(device));
    return array(name, type, out);
  }

  #times(): Column {
    const out = new ArrayWriter(this.#arena, 'timestamptz', this.count, 8 * this.count);
    for (let index = 0; index < this.count; index++) out.timestamp(this.at(index));
    return array('at', 'timestamptz', out);
  }

  #transports(): Column {
    const of = (start: number): string => TRANSPORTS[this.#view.getUint8(start + FRAME_AT.transport)]!;
    const first = of(this.#starts[0]!);
    if (this.#starts.every((start) => of(start) === first)) return shared('transport', 'text', first);
    const texts = this.#starts.map((start) => Buffer.from(of(start)));
    return bytesArray(this.#arena, 'transport', 'text', texts);
  }

  #texts(name: string, of: (parts: FrameParts) => readonly [from: number, to: number]): Column {
    const texts = this.#parts.map((parts) => this.#bytes.subarray(...of(parts)));
    const first = texts[0]!;
    if (texts.every((text) => text.equals(first))) return shared(name, 'text', first.toString('latin1'));
    return bytesArray(this.#arena, name, 'text', texts);
  }

  #frames(): Column {
    return bytesArray(
      this.#arena,
      'bytes',
      'bytea',
      this.#parts.map(({ bytes }, index) => this.#bytes.subarray(bytes, this.#ends[index])),
    );
  }
}

export const NO_FRAMES = new PackedFrames(NO_RECORDS, []);
