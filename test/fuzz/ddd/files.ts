import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { encodeCard } from '../../../src/server/tachograph/engine/card/encode.ts';
import { type Roots, readRoot } from '../../../src/server/tachograph/engine/index.ts';
import { issueEcc, issueRsa } from '../../../src/server/tachograph/engine/signature/issue.ts';
import { encodeVehicleUnit } from '../../../src/server/tachograph/engine/vu/encode.ts';
import * as generated from '../../unit/tachograph/scenario.ts';
import { unit } from '../../unit/tachograph/unit-scenario.ts';
import type { Subject } from './fuzz.ts';

/** The downloads of a folder. */
export function inFolder(folder: string): { subjects: Subject[]; roots: Roots } {
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && /\.(ddd|esm|tgd|c1b|v1b)$/i.test(entry.name));
  return {
    subjects: names.map(({ name }) => ({ name, bytes: readFileSync(join(folder, name)) })),
    roots: [],
  };
}

export const rootsIn = (folder: string): Roots =>
  readdirSync(folder).flatMap((name) => readRoot(readFileSync(join(folder, name))) ?? []);

const id = (text: string): Uint8Array => Buffer.from(text.padEnd(8, '_'), 'latin1');

/** A file of each kind and generation from our own encoder, cards signed and with rings that go round. */
export function ownFiles(seed: number): { subjects: Subject[]; roots: Roots } {
  const rsa = issueRsa({ id: id('ROOT1'), role: 0 });
  const rsaState = issueRsa({ id: id('STATE1'), role: 0 }, rsa);
  const rsaCard = issueRsa({ id: id('CARD1'), role: 1 }, rsaState);
  const ecc = issueEcc('brainpoolP256r1', { id: id('ROOT2'), role: 0x0d });
  const eccState = issueEcc('brainpoolP256r1', { id: id('STATE2'), role: 0x0e }, ecc);
  const eccCard = issueEcc('brainpoolP256r1', { id: id('CARD2'), role: 0x11 }, eccState);
  const certificates = (own: string, holder: Uint8Array, state: Uint8Array) => [
    { fid: own, bytes: holder },
    { fid: 'C108', bytes: state },
  ];
  const signers = {
    gen1: { certificates: certificates('C100', rsaCard.certificate, rsaState.certificate), sign: rsaCard.sign },
    gen2: { certificates: certificates('C101', eccCard.certificate, eccState.certificate), sign: eccCard.sign },
  };
  const sample = <T>(of: fc.Arbitrary<T>): T => fc.sample(of, { seed, numRuns: 1 })[0]!;
  const gen1 = sample(generated.gen1);
  const card = (generation: 'G2v1' | 'G2v2', activityStart: number): Uint8Array =>
    encodeCard({ gen1, gen2: sample(generated.gen2(generation)) }, { generation, signers, activityStart });
  const units = (['G1', 'G2v1', 'G2v2'] as const).map((generation) => ({
    name: `unit ${generation}`,
    bytes: encodeVehicleUnit(sample(unit(generation)), generation),
  }));
  return {
    subjects: [
      { name: 'card G1', bytes: encodeCard({ gen1 }, { signers }) },
      { name: 'card G1, wrapped', bytes: encodeCard({ gen1 }, { signers, activityStart: 13_500, slotStart: 80 }) },
      { name: 'card G2v1, wrapped', bytes: card('G2v1', 13_700) },
      { name: 'card G2v2', bytes: card('G2v2', 0) },
      ...units,
      {
        name: 'card through a unit',
        bytes: encodeVehicleUnit({ ...sample(unit('G1')), card: encodeCard({ gen1 }) }, 'G1'),
      },
    ],
    roots: [rsa, ecc].flatMap(({ certificate }) => readRoot(certificate) ?? []),
  };
}
