import { UnitSplitter } from './blocks.ts';
import { parseVehicleUnit } from './parse.ts';

/**
 * The downloads of several vehicles that are in one file, each with its own bytes. `undefined`: the file is of one
 * vehicle. `mixed`: before the first overview there are blocks, and of which vehicle they are is not certain.
 */
export function unitsIn(bytes: Uint8Array): readonly Uint8Array[] | 'mixed' | undefined {
  if (bytes[0] !== 0x76) return undefined;
  const splitter = new UnitSplitter(bytes);
  splitter.split();
  const { blocks } = splitter;
  const starts = blocks.flatMap(({ kind, at }, index) => {
    if (kind !== 'overview') return [];
    const before = blocks[index - 1];
    return before?.kind === 'interface' ? before.at : at;
  });
  if (starts.length < 2) return undefined;
  const parts: { readonly vehicle: string; readonly from: number }[] = [];
  for (const [index, from] of starts.entries()) {
    const vehicle = vehicleOf(bytes.subarray(from, starts[index + 1] ?? bytes.length));
    // a unit can send an overview of each generation
    if (vehicle !== parts.at(-1)?.vehicle) parts.push({ vehicle, from });
  }
  if (parts.length < 2) return undefined;
  if (blocks[0]!.at < starts[0]!) return 'mixed';
  return parts.map(({ from }, index) => bytes.slice(index === 0 ? 0 : from, parts[index + 1]?.from ?? bytes.length));
}

/** Of a whole overview: VIN and plate, which generations write differently. */
function vehicleOf(part: Uint8Array): string {
  const { overview } = parseVehicleUnit(part);
  const plate = overview?.vehicle.number.replaceAll(/[\s-]/g, '').toUpperCase();
  return `${overview?.vin}/${plate}`;
}
