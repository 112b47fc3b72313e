import { secondsOf } from '../layout/days.ts';
import type { Layout } from '../layout/layout.ts';
import type { Generation } from '../values.ts';
import type { VehicleUnitFile, VuDay, VuOverview, VuTechnical } from '../vu-records.ts';
import { G1_BLOCKS, MEMBER_STATE_CERTIFICATE, SIGNATURE, UNIT_CERTIFICATE } from './blocks.ts';
import { layoutOf, RECORD_TYPES, type RecordName } from './layouts.ts';

/** Signer of blocks: the two certificates of the overview, and the signature of data. */
export interface UnitSigner {
  readonly memberState: Uint8Array;
  readonly unit: Uint8Array;
  sign(data: Uint8Array): Uint8Array;
}

export type UnitContent = Omit<VehicleUnitFile, 'kind' | 'generations' | 'incompleteDays' | 'findings' | 'card'> & {
  /** A download of a card, in the format of a card file. */
  readonly card?: Uint8Array;
};

type Sizes = readonly (readonly [type: number, size: number])[];

const OVERVIEW: Sizes = [
  [0x03, 4],
  [0x13, 8],
  [0x02, 1],
  [0x14, 59],
  [0x10, 99],
  [0x11, 32],
];
const DAY: Sizes = [
  [0x06, 4],
  [0x05, 3],
  [0x0d, 131],
  [0x01, 2],
];
const EVENTS: Sizes = [
  [0x18, 90],
  [0x15, 91],
  [0x1a, 9],
  [0x1b, 32],
  [0x1e, 99],
];
const TECHNICAL: Sizes = [
  [0x20, 28],
  [0x21, 28],
];
const CONSENTS: Sizes = [
  [0x0e, 45],
  [0x17, 20],
  [0x1f, 87],
];
const VIN = [0x0a, 17] as const;
const SPECIFIC = [0x09, 5] as const;

/** Blocks of generation 2: record types and sizes, without certificates and signature. */
const G2_BLOCKS: Readonly<Record<number, Sizes>> = {
  0x21: [VIN, [0x0b, 14], ...OVERVIEW],
  0x22: [...DAY, [0x1c, 40], [0x16, 56], SPECIFIC],
  0x23: EVENTS,
  0x24: [[0x12, 64]],
  0x25: [[0x19, 126], ...TECHNICAL, [0x0c, 222], ...CONSENTS],
  0x31: [VIN, [0x24, 15], ...OVERVIEW],
  0x32: [...DAY, [0x1c, 41], [0x16, 57], SPECIFIC, [0x22, 55], [0x23, 58]],
  0x33: EVENTS,
  0x35: [[0x19, 138], ...TECHNICAL, [0x0c, 252], ...CONSENTS],
};

type Held = { readonly [K in RecordName]?: readonly unknown[] };

const BASE: Readonly<Record<Generation, number>> = { G1: 0, G2v1: 0x20, G2v2: 0x30 };

/** Writes a unit's file, the inverse of `parseVehicleUnit`. Without a signer signatures are blank. */
export function encodeVehicleUnit(content: UnitContent, generation: Generation, signer?: UnitSigner): Uint8Array {
  const base = BASE[generation];
  const block = (kind: number, held: Held): Uint8Array =>
    generation === 'G1' ? inlineBlock(kind, held, signer) : arrayBlock(base + kind, held, signer);
  const parts: Uint8Array[] = [];
  if (content.interfaceVersion !== undefined) parts.push(Buffer.from(`7600${content.interfaceVersion}`, 'hex'));
  if (content.overview !== undefined) parts.push(block(1, overviewRecords(content.overview)));
  for (const day of content.days) parts.push(block(2, dayRecords(day)));
  const { faults, events, overspeeds, timeAdjustments } = content;
  const control = content.overspeedControl ?? { last: null, first: null, count: 0 };
  parts.push(block(3, { faults, events, overspeedControl: [control], overspeeds, timeAdjustments }));
  if (content.speeds.length > 0) {
    const held = { speeds: content.speeds };
    parts.push(generation === 'G1' ? inlineBlock(4, held, signer) : arrayBlock(0x24, held, signer));
  }
  if (content.technical !== undefined) parts.push(block(5, technicalRecords(content.technical)));
  if (content.card !== undefined) parts.push(Uint8Array.of(0x76, 0x06), content.card);
  return Buffer.concat(parts);
}

function overviewRecords(overview: VuOverview): Held {
  return {
    vin: [overview.vin],
    vehicle: [overview.vehicle],
    currentTime: [overview.currentTime],
    period: [overview],
    slots: [overview],
    previousDownload: overview.previousDownload === null ? [] : [overview.previousDownload],
    companyLocks: overview.companyLocks,
    controls: overview.controls,
  };
}

function dayRecords({ date, odometerAtMidnightKm, ...lists }: VuDay): Held {
  return { ...(lists as Held), date: [secondsOf(date)], odometerAtMidnightKm: [odometerAtMidnightKm] };
}

function technicalRecords({ identification, ...lists }: VuTechnical): Held {
  return { ...lists, identification: identification === null ? [] : [identification] };
}

function inlineBlock(kind: number, held: Held, signer: UnitSigner | undefined): Uint8Array {
  const parts: Uint8Array[] = [];
  let signedFrom = 0;
  for (const [type, size, countBytes] of G1_BLOCKS[kind] ?? []) {
    if (type === SIGNATURE) {
      parts.push(signer?.sign(Buffer.concat(parts.slice(signedFrom))) ?? new Uint8Array(size));
    } else if (type === MEMBER_STATE_CERTIFICATE || type === UNIT_CERTIFICATE) {
      parts.push(certificateOf(type, signer) ?? new Uint8Array(size));
      signedFrom = parts.length;
    } else {
      const records = recordsOf(held, type);
      const bytes =
        records.length === 0 && countBytes === 0 ? [new Uint8Array(size)] : write(true, type, size, records);
      parts.push(
        Uint8Array.from({ length: countBytes }, (_, i) => records.length >> (8 * (countBytes - 1 - i))),
        ...bytes,
      );
    }
  }
  return Buffer.concat([Uint8Array.of(0x76, kind), ...parts]);
}

function arrayBlock(trep: number, held: Held, signer: UnitSigner | undefined): Uint8Array {
  const certificates = (trep & 15) === 1 ? [MEMBER_STATE_CERTIFICATE, UNIT_CERTIFICATE] : [];
  const head = certificates.map((type) => {
    const certificate = certificateOf(type, signer);
    return array(type, certificate?.length ?? 0, certificate === undefined ? [] : [certificate]);
  });
  const body = Buffer.concat(
    (G2_BLOCKS[trep] ?? []).map(([type, size]) => array(type, size, write(false, type, size, recordsOf(held, type)))),
  );
  const signature = signer?.sign(body);
  const tail = array(SIGNATURE, signature?.length ?? 0, signature === undefined ? [] : [signature]);
  return Buffer.concat([Uint8Array.of(0x76, trep), ...head, body, tail]);
}

const certificateOf = (type: number, signer: UnitSigner | undefined): Uint8Array | undefined =>
  type === UNIT_CERTIFICATE ? signer?.unit : signer?.memberState;

function array(type: number, size: number, records: readonly Uint8Array[]): Uint8Array {
  const header = [type, size >> 8, size & 0xff, records.length >> 8, records.length & 0xff];
  return Buffer.concat([Uint8Array.from(header), ...records]);
}

const recordsOf = (held: Held, type: number): readonly unknown[] => held[RECORD_TYPES.get(type)!] ?? [];

function write(first: boolean, type: number, size: number, records: readonly unknown[]): Uint8Array[] {
  const layout = layoutOf(first, RECORD_TYPES.get(type)!, size) as Layout<unknown>;
  return records.map((record) => {
    const bytes = new Uint8Array(size);
    layout.write(bytes, 0, record);
    return bytes;
  });
}
