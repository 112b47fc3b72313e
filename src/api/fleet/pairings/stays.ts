import type { PairingRow, StayRow } from './store.ts';

interface Stretch {
  readonly targa: string;
  readonly driverId: string | null;
  readonly from: number;
  readonly to: number | null;
}

/** The same driver in the same vehicle at the same time. */
const meet = (a: Stretch, b: Stretch): boolean =>
  a.targa === b.targa &&
  a.driverId === b.driverId &&
  a.from < (b.to ?? Number.POSITIVE_INFINITY) &&
  b.from < (a.to ?? Number.POSITIVE_INFINITY);

/**
 * What downloads tell beside the pairings that are known: a unit before a card, as both tell of one stay, and neither
 * where a pairing of that driver and vehicle holds already.
 */
export function furtherStays(stays: readonly StayRow[], pairings: readonly PairingRow[]): StayRow[] {
  const kept: StayRow[] = [];
  const ranked = stays.toSorted((a, b) => Number(a.told === 'card') - Number(b.told === 'card') || a.from - b.from);
  for (const stay of ranked) {
    if (pairings.some((pairing) => pairing.driverId !== null && meet(stay, pairing))) continue;
    if (!kept.some((other) => meet(stay, other))) kept.push(stay);
  }
  return kept.sort((a, b) => a.from - b.from);
}
