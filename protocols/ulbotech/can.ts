import { type Draft, Reader } from '#codec';

/** A parameter group of SAE J1939; `bytes` where its value starts, all of which set means not available. */
interface Group {
  readonly key: string;
  readonly at: number;
  readonly bytes: 1 | 2 | 4;
  readonly factor: number;
  readonly offset?: number;
}

const METERS_PER_KM = 1_000;
const MS_PER_HOUR = 3_600_000;

const GROUPS: Readonly<Record<number, Group>> = {
  0xf003: { key: 'throttle', at: 1, bytes: 1, factor: 0.4 },
  0xf004: { key: 'rpm', at: 3, bytes: 2, factor: 0.125 },
  0xfec1: { key: 'obdOdometer', at: 0, bytes: 4, factor: 0.005 * METERS_PER_KM },
  0xfee5: { key: 'hours', at: 0, bytes: 4, factor: 0.05 * MS_PER_HOUR },
  0xfee9: { key: 'fuelUsed', at: 4, bytes: 4, factor: 0.5 },
  0xfeee: { key: 'coolantTemp', at: 0, bytes: 1, factor: 1, offset: -40 },
  0xfef1: { key: 'obdSpeed', at: 1, bytes: 2, factor: 1 / 256 },
  0xfefc: { key: 'fuelLevel', at: 1, bytes: 1, factor: 0.4 },
};

const READERS = { 1: (r: Reader) => r.u8(), 2: (r: Reader) => r.u16LE(), 4: (r: Reader) => r.u32LE() };
/** First byte of the largest value; those above are errors or not available. */
const MAX_FIRST_BYTE = 0xfa;

function readGroup(
  value: Uint8Array,
  { key, at, bytes, factor, offset = 0 }: Group,
  into: Pick<Draft, 'attributes'>,
): void {
  if (value.length < at + bytes || value[at + bytes - 1]! > MAX_FIRST_BYTE) return;
  into.attributes[key] = READERS[bytes](new Reader(value, at)) * factor + offset;
}

/** Size, the number of the group in three bytes, its value. */
export function readCan(data: Uint8Array, into: Pick<Draft, 'attributes'>): void {
  const reader = new Reader(data);
  while (reader.remaining > 3) {
    const part = reader.slice(Math.min(reader.u8(), reader.remaining));
    if (part.remaining < 3) continue;
    const group = GROUPS[part.u24()];
    if (group !== undefined) readGroup(part.view(part.remaining), group, into);
  }
}
