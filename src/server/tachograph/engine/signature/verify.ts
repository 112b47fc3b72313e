import { fileOf } from '../card/files.ts';
import { readActivities } from '../card/ring.ts';
import { type CardBlock, CardSplitter, isForeign, isGost, isSignature, sectionOf } from '../card/tlv.ts';
import { DAY_SECONDS, dayOfUnit, ignoreReport, secondsOf } from '../layout/days.ts';
import { time } from '../layout/layout.ts';
import type { SignatureResult } from '../records.ts';
import { MEMBER_STATE_CERTIFICATE, SIGNATURE, UNIT_CERTIFICATE, type UnitBlock, UnitSplitter } from '../vu/blocks.ts';
import type { Certificate } from './certificate.ts';
import { inForce, type Roots, type Signer, signerOf, verifySignature } from './chain.ts';
import { eccCertificate } from './ecc.ts';
import { rsaCertificate } from './rsa.ts';

/** Signature checks of the files of a card, in the order of the download, without certificates and unsigned files. */
export interface CardSignatures {
  readonly gen1?: readonly SignatureResult[];
  readonly gen2?: readonly SignatureResult[];
}

/** Signature checks of each block of a unit, and of a card that was downloaded through it. */
export interface UnitSignatures {
  readonly blocks: readonly SignatureResult[];
  readonly card?: CardSignatures;
}

export function verifyCard(bytes: Uint8Array, roots: Roots): CardSignatures {
  const cutter = new CardSplitter(bytes);
  cutter.split(0);
  return verifyFiles(cutter.blocks, roots);
}

function verifyFiles(all: readonly CardBlock[], roots: Roots): CardSignatures {
  const blocks = all.filter(({ type }) => !isForeign(type));
  const gen1 = blocks.filter(({ type }) => sectionOf(type) === 'gen1');
  const gen2 = blocks.filter(({ type }) => sectionOf(type) === 'gen2');
  return {
    ...(gen1.length > 0 && { gen1: verifySection(gen1, 'C100', rsaCertificate, roots) }),
    ...(gen2.length > 0 && { gen2: verifySection(gen2, 'C101', eccCertificate, roots) }),
  };
}

/** Neither the algorithm nor its certificates are in Annex IB or IC. */
const GOST_REASON = 'signature of GOST R 34.10, which is not verified';

function verifySection(
  blocks: readonly CardBlock[],
  own: string,
  read: (bytes: Uint8Array) => Certificate | undefined,
  roots: Roots,
): SignatureResult[] {
  const last = (fid: string, signature: boolean): CardBlock | undefined =>
    blocks.findLast((block) => block.fid === fid && isSignature(block.type) === signature);
  const certificate = (fid: string): Certificate | undefined => {
    const block = last(fid, false);
    return block && read(block.bytes);
  };
  const signer = signerOf(certificate(own), [certificate('C108'), certificate('C109')], roots);
  const activities = last('0504', false);
  const isSound =
    activities && verifySignature(signer, activities.bytes, last('0504', true)?.bytes).verdict === 'valid';
  const then = inForce(signer, isSound ? newestDay(activities) : null);
  const fids = new Set(blocks.filter(({ type }) => !isSignature(type)).map(({ fid }) => fid));
  return [...fids].flatMap((fid) => {
    const data = last(fid, false)!;
    if (!fileOf(sectionOf(data.type), fid)?.signed) return [];
    const signature = last(fid, true);
    const verdict =
      signature !== undefined && isGost(signature.type)
        ? ({ verdict: 'unverifiable', reason: GOST_REASON } as const)
        : verifySignature(then, data.bytes, signature?.bytes);
    return { file: fid, ...verdict, offset: data.offset };
  });
}

/** The end of the newest day of a card: it was signed at that time or later. */
function newestDay(activities: CardBlock): number | null {
  const newest = readActivities(activities.bytes, activities.length, ignoreReport).at(-1);
  return newest === undefined ? null : secondsOf(newest.date) + DAY_SECONDS - 1;
}

export function verifyVehicleUnit(bytes: Uint8Array, roots: Roots): UnitSignatures {
  const cutter = new UnitSplitter(bytes);
  cutter.split();
  const signers = new Map<boolean, Signer>();
  // Same precedence as the parser: of two the last one counts, but not a damaged one after an intact one.
  for (const block of cutter.blocks) {
    const isFirst = block.generation === 'G1';
    if (block.kind !== 'overview' || (!block.complete && signers.has(isFirst))) continue;
    signers.set(isFirst, signerOfUnit(bytes, block, roots));
  }
  const none: Signer = { verdict: 'unverifiable', reason: 'no overview with the certificate of the unit' };
  const card = cutter.blocks.findLast(({ kind }) => kind === 'card')?.card;
  return {
    blocks: cutter.blocks
      .filter(({ kind }) => kind !== 'card' && kind !== 'interface')
      .map((block) => verifyBlock(bytes, block, signers.get(block.generation === 'G1') ?? none)),
    ...(card && { card: verifyFiles(card, roots) }),
  };
}

function signerOfUnit(bytes: Uint8Array, overview: UnitBlock, roots: Roots): Signer {
  const read = overview.generation === 'G1' ? rsaCertificate : eccCertificate;
  const record = (type: number): Uint8Array | undefined => {
    const part = overview.parts.find((candidate) => candidate.type === type && candidate.count > 0);
    return part && bytes.subarray(part.at, part.at + part.size);
  };
  const certificate = (type: number): Certificate | undefined => {
    const found = record(type);
    return found && read(found);
  };
  const signer = signerOf(certificate(UNIT_CERTIFICATE), [certificate(MEMBER_STATE_CERTIFICATE)], roots);
  const now = record(0x03);
  const isSound = verifyBlock(bytes, overview, signer).verdict === 'valid';
  return inForce(signer, isSound && now?.length === 4 ? time.read(now, 0, ignoreReport) : null);
}

const DATE_OF_DAY = 0x06;

function dateOfBlock(bytes: Uint8Array, { parts }: UnitBlock): string | undefined {
  const part = parts.find(({ type, count, size }) => type === DATE_OF_DAY && count > 0 && size === 4);
  return part && dayOfUnit(time.read(bytes, part.at, ignoreReport) ?? 0, ignoreReport);
}

/** A block's signature covers it from its first record on, certificates left out. */
function verifyBlock(bytes: Uint8Array, block: UnitBlock, signer: Signer): SignatureResult {
  const date = block.kind === 'day' ? dateOfBlock(bytes, block) : undefined;
  const place = { file: block.trep, offset: block.at, ...(date !== undefined && { date }) };
  const signature = block.parts.find(({ type }) => type === SIGNATURE);
  if (signature === undefined || signature.count === 0) {
    return block.complete
      ? { ...place, verdict: 'unsigned' }
      : { ...place, verdict: 'unverifiable', reason: 'damaged' };
  }
  const first = block.parts.find(({ type }) => type !== MEMBER_STATE_CERTIFICATE && type !== UNIT_CERTIFICATE);
  const data = bytes.subarray(first?.start ?? block.at + 2, signature.start);
  return { ...place, ...verifySignature(signer, data, bytes.subarray(signature.at, signature.at + signature.size)) };
}
