import type { PairingRow, VehicleUseRow } from './store.ts';

interface Use {
  readonly targa: string;
  readonly driverId: string | null;
  readonly from: number;
  readonly to: number | null;
}

/** The same driver in the same vehicle at the same time. */
const overlap = (a: Use, b: Use): boolean =>
  a.targa === b.targa &&
  a.driverId === b.driverId &&
  a.from < (b.to ?? Number.POSITIVE_INFINITY) &&
  b.from < (a.to ?? Number.POSITIVE_INFINITY);

/**
 * Vehicle uses from downloads that no pairing covers. Where a unit and a card report the same use, that of the unit
 * counts.
 */
export function usesBesidePairings(uses: readonly VehicleUseRow[], pairings: readonly PairingRow[]): VehicleUseRow[] {
  const kept: VehicleUseRow[] = [];
  const ranked = uses.toSorted((a, b) => Number(a.source === 'card') - Number(b.source === 'card') || a.from - b.from);
  for (const use of ranked) {
    if (pairings.some((pairing) => pairing.driverId !== null && overlap(use, pairing))) continue;
    if (!kept.some((other) => overlap(use, other))) kept.push(use);
  }
  return kept.sort((a, b) => a.from - b.from);
}
