import { parseCard } from './card/parse.ts';
import { CardSplitter } from './card/tlv.ts';
import type { TachographFile, VehicleUnitFile } from './records.ts';
import type { Roots } from './signature/chain.ts';
import { type CardSignatures, type UnitSignatures, verifyCard, verifyVehicleUnit } from './signature/verify.ts';
import { UnitSplitter } from './vu/blocks.ts';
import { parseVehicleUnit } from './vu/parse.ts';

export type * from './records.ts';
export * from './rules/index.ts';
export type { PublicKey } from './signature/certificate.ts';
export { type Roots, readRoot } from './signature/chain.ts';
export type { CardSignatures, UnitSignatures } from './signature/verify.ts';
export { buildTimeline, type DriverIdentity, driverOf, type TimelineSource } from './timeline/build.ts';
export { trustedPart } from './timeline/trust.ts';

/**
 * Reads a download of a card or of a vehicle unit. Damage is in `findings` and the rest is read;
 * `undefined` only if no part of the bytes is either. Never throws.
 */
export function parseTachograph(bytes: Uint8Array): TachographFile | undefined {
  const kind = kindOf(bytes);
  if (kind === undefined) return undefined;
  if (kind === 'card') return parseCard(bytes);
  const unit = parseVehicleUnit(bytes);
  return isCardAlone(unit) && unit.card !== undefined ? unit.card : unit;
}

/** Verifies every signature of a download against `roots`. */
export function verifyTachograph(bytes: Uint8Array, roots: Roots): CardSignatures | UnitSignatures {
  const kind = kindOf(bytes);
  if (kind === 'card') return verifyCard(bytes, roots);
  const unit = verifyVehicleUnit(bytes, roots);
  return unit.blocks.length === 0 && unit.card !== undefined ? unit.card : unit;
}

/** Units can also download a card alone: then the file is a card file. */
const isCardAlone = (unit: VehicleUnitFile): boolean => unit.generations.length === 0;

/** Detected by the first bytes; where they are damaged, by the first valid part of either kind. */
function kindOf(bytes: Uint8Array): 'card' | 'unit' | undefined {
  const card = new CardSplitter(bytes);
  const unit = new UnitSplitter(bytes);
  if (unit.begins(0)) return 'unit';
  if (card.begins(0)) return 'card';
  const firstFile = card.find(1);
  const firstBlock = unit.find(1);
  if (firstFile === undefined && firstBlock === undefined) return undefined;
  return (firstFile ?? bytes.length) < (firstBlock ?? bytes.length) ? 'card' : 'unit';
}
