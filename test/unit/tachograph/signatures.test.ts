import { beforeAll, describe, expect, it } from 'vitest';
import { type CardSigner, encodeCard, type SectionContent } from '../../../src/server/tachograph/engine/card/encode.ts';
import {
  type CardSignatures,
  type PublicKey,
  readRoot,
  type UnitSignatures,
  verifyTachograph,
} from '../../../src/server/tachograph/engine/index.ts';
import { type Issuer, issueEcc, issueRsa } from '../../../src/server/tachograph/engine/signature/issue.ts';
import { encodeVehicleUnit, type UnitContent } from '../../../src/server/tachograph/engine/vu/encode.ts';

const id = (text: string): Uint8Array => Buffer.from(text.padEnd(8, '_'), 'latin1');
const secondsOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000;

const nothing = {
  events: [],
  faults: [],
  days: [],
  vehiclesUsed: [],
  places: [],
  specificConditions: [],
  vehicleUnitsUsed: [],
  gnss: [],
  placeAuthentications: [],
  gnssAuthentications: [],
  borderCrossings: [],
  loadUnloads: [],
  loadTypes: [],
};

const content: SectionContent = {
  ...nothing,
  days: ['2026-03-02', '2026-03-03'].map((date) => ({
    date,
    presenceCounter: 7,
    distanceKm: 431,
    changes: [{ minute: 0, activity: 'rest', slot: 'driver', inserted: false, status: 'manual' }],
  })),
  drivingLicence: { authority: 'MIT', nation: 0x1a, number: 'U1234567' },
};

/** A root, a member state and a card or unit, as both generations have them. */
interface Chain {
  readonly root: Issuer;
  readonly state: Issuer;
  readonly holder: Issuer;
}

const rsa = (name: string, validTo?: number): Chain => {
  const root = issueRsa({ id: id(name), role: 0 });
  const state = issueRsa({ id: id('MSCA1'), role: 0 }, root);
  const holder = issueRsa({ id: id('CARD1'), role: 1, ...(validTo === undefined ? {} : { validTo }) }, state);
  return { root, state, holder };
};

const ecc = (name: string, curve: string, validTo?: number): Chain => {
  const root = issueEcc(curve, { id: id(name), role: 0x0d });
  const state = issueEcc(curve, { id: id('MSCA2'), role: 0x0e }, root);
  const holder = issueEcc(curve, { id: id('CARD2'), role: 0x11, ...(validTo === undefined ? {} : { validTo }) }, state);
  return { root, state, holder };
};

const signer = ({ state, holder }: Chain, own: string): CardSigner => ({
  certificates: [
    { fid: own, bytes: holder.certificate },
    { fid: 'C108', bytes: state.certificate },
  ],
  sign: holder.sign,
});

const trusted = (...chains: readonly Chain[]): PublicKey[] => chains.map(({ root }) => readRoot(root.certificate)!);

const card = (first: Chain, second: Chain): Uint8Array =>
  encodeCard(
    { gen1: content, gen2: content },
    { generation: 'G2v2', signers: { gen1: signer(first, 'C100'), gen2: signer(second, 'C101') } },
  );

/** Files by their status: `{ valid: [...], invalid: [...] }`. */
const byStatus = (results: readonly { file: string; verdict: string }[] = []): Record<string, string[]> => {
  const files: Record<string, string[]> = {};
  for (const { file, verdict } of results) files[verdict] = [...(files[verdict] ?? []), file];
  return files;
};

const GEN1 = ['0521', '0502', '0503', '0504', '0505', '0506', '0522'];

describe('signatures of a card', () => {
  let first: Chain;
  let second: Chain;
  let bytes: Uint8Array;
  beforeAll(() => {
    first = rsa('ERCA1');
    second = ecc('ERCA2', 'brainpoolP256r1');
    bytes = card(first, second);
  });

  it('are valid up to the roots of both generations', () => {
    const { gen1, gen2 } = verifyTachograph(bytes, trusted(first, second)) as CardSignatures;
    expect(byStatus(gen1)).toEqual({ valid: GEN1 });
    expect(byStatus(gen2).valid).toContain('0529');
    expect(Object.keys(byStatus(gen2))).toEqual(['valid']);
  });

  it('detect the one file that was changed', () => {
    const changed = Uint8Array.from(bytes);
    const at = Buffer.from(bytes).indexOf(Buffer.from('050400', 'hex')) + 5 + 4 + 20;
    changed[at]! ^= 1;
    const { gen1, gen2 } = verifyTachograph(changed, trusted(first, second)) as CardSignatures;
    expect(byStatus(gen1)).toEqual({ valid: GEN1.filter((file) => file !== '0504'), invalid: ['0504'] });
    expect(Object.keys(byStatus(gen2))).toEqual(['valid']);
  });

  it('cannot be verified without a root, nor by another one', () => {
    for (const roots of [[], trusted(rsa('OTHER1'), ecc('OTHER2', 'brainpoolP256r1'))]) {
      const { gen1, gen2 } = verifyTachograph(bytes, roots) as CardSignatures;
      expect(Object.keys(byStatus(gen1))).toEqual(['unverifiable']);
      expect(Object.keys(byStatus(gen2))).toEqual(['unverifiable']);
    }
  });

  it('are not valid under a root that only has the right name', () => {
    const roots = trusted(rsa('ERCA1'), ecc('ERCA2', 'brainpoolP256r1'));
    const { gen1, gen2 } = verifyTachograph(bytes, roots) as CardSignatures;
    expect(Object.keys(byStatus(gen1))).toEqual(['invalid']);
    expect(Object.keys(byStatus(gen2))).toEqual(['invalid']);
  });

  it('are not valid when a card has issued the certificate', () => {
    const forge = (of: Chain, issue: (by: Issuer) => Issuer): Chain => ({
      ...of,
      state: of.holder,
      holder: issue(of.holder),
    });
    const forged1 = forge(first, (by) => issueRsa({ id: id('FORGED'), role: 1 }, by));
    const forged2 = forge(second, (by) => issueEcc('brainpoolP256r1', { id: id('FORGED'), role: 0x11 }, by));
    const link = (of: Chain, state: Issuer, own: string): CardSigner => ({
      ...signer(of, own),
      certificates: [...signer(of, own).certificates, { fid: 'C109', bytes: state.certificate }],
    });
    const signers = { gen1: link(forged1, first.state, 'C100'), gen2: link(forged2, second.state, 'C101') };
    const file = encodeCard({ gen1: content, gen2: content }, { signers });
    const { gen1, gen2 } = verifyTachograph(file, trusted(first, second)) as CardSignatures;
    expect(Object.keys(byStatus(gen1))).toEqual(['invalid']);
    expect(Object.keys(byStatus(gen2))).toEqual(['invalid']);
  });

  it('are not valid when the certificate had ended before the newest day', () => {
    const ended = secondsOf('2026-03-03');
    const late = card(rsaUnder(first, ended), eccUnder(second, ended));
    const { gen1, gen2 } = verifyTachograph(late, trusted(first, second)) as CardSignatures;
    expect(Object.keys(byStatus(gen1))).toEqual(['invalid']);
    expect(Object.keys(byStatus(gen2))).toEqual(['invalid']);
    const inTime = secondsOf('2026-03-04');
    const sound = card(rsaUnder(first, inTime), eccUnder(second, inTime));
    expect(Object.keys(byStatus((verifyTachograph(sound, trusted(first, second)) as CardSignatures).gen2))).toEqual([
      'valid',
    ]);
  });

  it('are missing if there is no signature', () => {
    const { gen1 } = verifyTachograph(encodeCard({ gen1: content }), trusted(first, second)) as CardSignatures;
    expect(byStatus(gen1)).toEqual({ unsigned: GEN1 });
  });

  const rsaUnder = ({ root, state }: Chain, validTo: number): Chain => ({
    root,
    state,
    holder: issueRsa({ id: id('CARD1'), role: 1, validTo }, state),
  });
  const eccUnder = ({ root, state }: Chain, validTo: number): Chain => ({
    root,
    state,
    holder: issueEcc('brainpoolP256r1', { id: id('CARD2'), role: 0x11, validTo }, state),
  });
});

const curves = ['brainpoolP256r1', 'brainpoolP384r1', 'brainpoolP512r1', 'prime256v1', 'secp384r1', 'secp521r1'];

it.each(curves)('cards sign over %s, with the hash of their key', (curve) => {
  const chain = ecc('ERCA2', curve);
  const file = encodeCard({ gen2: content }, { signers: { gen2: signer(chain, 'C101') } });
  const { gen2 } = verifyTachograph(file, trusted(chain)) as CardSignatures;
  expect(Object.keys(byStatus(gen2))).toEqual(['valid']);
});

describe('signatures of a unit', () => {
  const unit: UnitContent = {
    overview: {
      vin: 'ZCFTEST0000000001',
      vehicle: { nation: 0, number: 'TT000AA' },
      currentTime: secondsOf('2026-03-04'),
      downloadableFrom: null,
      downloadableTo: null,
      driverSlot: 1,
      coDriverSlot: 0,
      previousDownload: null,
      companyLocks: [],
      controls: [],
    },
    days: ['2026-03-01', '2026-03-02', '2026-03-03'].map((date) => ({
      date,
      generation: 'G1',
      odometerAtMidnightKm: 1234,
      insertions: [],
      places: [],
      gnss: [],
      specificConditions: [],
      borderCrossings: [],
      loadUnloads: [],
      changes: [{ minute: 0, activity: 'rest', slot: 'driver', inserted: false, status: 'unknown' }],
    })),
    faults: [],
    events: [],
    overspeeds: [],
    timeAdjustments: [],
    speeds: [],
  };
  const chains = { G1: rsa('ERCA1'), G2v1: ecc('ERCA2', 'brainpoolP256r1'), G2v2: ecc('ERCA2', 'brainpoolP384r1') };
  const encode = (generation: keyof typeof chains): Uint8Array => {
    const { state, holder } = chains[generation];
    const by = { memberState: state.certificate, unit: holder.certificate, sign: holder.sign };
    return encodeVehicleUnit(unit, generation, by);
  };

  it.each(['G1', 'G2v1', 'G2v2'] as const)('of %s are judged block by block', (generation) => {
    const bytes = encode(generation);
    const roots = trusted(chains[generation]);
    const sound = verifyTachograph(bytes, roots) as UnitSignatures;
    expect(sound.blocks.map(({ verdict }) => verdict)).toEqual(['valid', 'valid', 'valid', 'valid', 'valid']);
    const second = sound.blocks[2]!;
    const changed = Uint8Array.from(bytes);
    // The odometer, after the date; in generation 2 each with the header of its array.
    changed[second.offset! + 2 + (generation === 'G1' ? 4 : 5 + 4 + 5)]! ^= 1;
    const results = (verifyTachograph(changed, roots) as UnitSignatures).blocks.map(({ verdict }) => verdict);
    expect(results).toEqual(['valid', 'valid', 'invalid', 'valid', 'valid']);
    const none = (verifyTachograph(bytes, []) as UnitSignatures).blocks.map(({ verdict }) => verdict);
    expect(new Set(none)).toEqual(new Set(['unverifiable']));
  });
});

it('a root is 144 bytes of generation 1, or a certificate that signed itself', () => {
  const { root, state } = ecc('ERCA2', 'brainpoolP256r1');
  expect(readRoot(root.certificate)?.id).toBe(Buffer.from(id('ERCA2')).toString('hex'));
  expect(readRoot(state.certificate)).toBeUndefined();
  expect(readRoot(new Uint8Array(144))).toBeUndefined();
  expect(readRoot(new Uint8Array(3))).toBeUndefined();
});
