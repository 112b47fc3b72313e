import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeCard, type SectionContent } from '../../../src/server/tachograph/engine/card/encode.ts';
import type { ActivityChange } from '../../../src/server/tachograph/engine/records.ts';
import { issueEcc, issueRsa } from '../../../src/server/tachograph/engine/signature/issue.ts';
import { encodeVehicleUnit } from '../../../src/server/tachograph/engine/vu/encode.ts';
import { runCommand } from '../../support/command-line.ts';

const id = (text: string): Uint8Array => Buffer.from(text.padEnd(8, '_'), 'latin1');

const word = (minute: number, activity: ActivityChange['activity']): ActivityChange => ({
  minute,
  activity,
  slot: 'driver',
  inserted: true,
  status: 'single',
});

const content: SectionContent = {
  events: [],
  faults: [],
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
  identification: {
    nation: 26,
    cardNumber: 'I100000000000100',
    authority: 'MIT',
    issued: null,
    validFrom: null,
    expiry: Date.parse('2031-01-09T00:00:00Z') / 1000,
    surname: 'Łódzka',
    firstNames: 'Zoë',
    birthDate: '1985-06-15',
    language: 'it',
  },
  days: [
    {
      date: '2026-03-02',
      presenceCounter: 1,
      distanceKm: 431,
      changes: [word(0, 'rest'), word(360, 'work'), word(375, 'driving'), word(630, 'availability'), word(660, 'rest')],
    },
  ],
};

const day = {
  date: '2026-03-02',
  distanceKm: 431,
  changes: 5,
  minutes: { rest: 360 + 780, availability: 30, work: 15, driving: 255 },
};

let folder: string;
const put = async (name: string, bytes: Uint8Array): Promise<string> => {
  await writeFile(join(folder, name), bytes);
  return join(folder, name);
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ddd-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('ddd --json prints the content of a card and the validity of its signatures', async () => {
  const rsa = issueRsa({ id: id('ROOT1'), role: 0 });
  const rsaState = issueRsa({ id: id('STATE1'), role: 0 }, rsa);
  const rsaCard = issueRsa({ id: id('CARD1'), role: 1 }, rsaState);
  const ecc = issueEcc('brainpoolP256r1', { id: id('ROOT2'), role: 0x0d });
  const eccState = issueEcc('brainpoolP256r1', { id: id('STATE2'), role: 0x0e }, ecc);
  const eccCard = issueEcc('brainpoolP256r1', { id: id('CARD2'), role: 0x11 }, eccState);
  const certificates = (own: string, card: typeof rsa, state: typeof rsa) => [
    { fid: own, bytes: card.certificate },
    { fid: 'C108', bytes: state.certificate },
  ];
  const signers = {
    gen1: { certificates: certificates('C100', rsaCard, rsaState), sign: rsaCard.sign },
    gen2: { certificates: certificates('C101', eccCard, eccState), sign: eccCard.sign },
  };
  const card = await put('card.ddd', encodeCard({ gen1: content, gen2: content }, { generation: 'G2v2', signers }));
  const roots = [await put('EC_PK.bin', rsa.certificate), await put('root2.bin', ecc.certificate)];

  const { code, stdout } = await runCommand(['ddd', card, '--json', '--root', roots[0]!, '--root', roots[1]!]);
  expect(code).toBe(0);
  const read = JSON.parse(stdout);
  expect(read).toMatchObject({
    kind: 'driver-card',
    generations: ['G1', 'G2v2'],
    holder: { surname: 'Łódzka', firstNames: 'Zoë' },
    cardNumber: 'I100000000000100',
    issuingNation: 26,
    expiry: '2031-01-09T00:00:00Z',
    findings: [],
    sections: { gen1: { days: [day] }, gen2: { days: [day] } },
  });
  const verdicts = (section: string): string[] => [
    ...new Set<string>(read.sections[section].signatures.map(({ verdict }: { verdict: string }) => verdict)),
  ];
  expect([verdicts('gen1'), verdicts('gen2')]).toEqual([['valid'], ['valid']]);
  expect(read.sections.gen1.signatures).toContainEqual(expect.objectContaining({ file: '0504', verdict: 'valid' }));

  const half = JSON.parse((await runCommand(['ddd', card, '--json', '--root', roots[0]!])).stdout);
  expect(half.sections.gen1.signatures[0].verdict).toBe('valid');
  expect(half.sections.gen2.signatures[0].verdict).toBe('unverifiable');

  const { stdout: forPeople } = await runCommand(['ddd', card]);
  expect(forPeople).toContain('Łódzka Zoë');
});

it('ddd --json prints the content of a vehicle unit', async () => {
  const unit = {
    days: [
      {
        date: '2026-03-02',
        generation: 'G1' as const,
        odometerAtMidnightKm: 371_532,
        insertions: [],
        places: [],
        gnss: [],
        specificConditions: [],
        borderCrossings: [],
        loadUnloads: [],
        changes: [word(0, 'rest')],
      },
    ],
    faults: [],
    events: [],
    overspeeds: [],
    timeAdjustments: [],
    speeds: [],
  };
  const path = await put('unit.ddd', encodeVehicleUnit(unit, 'G1'));
  const { stdout } = await runCommand(['ddd', path, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    kind: 'vehicle-unit',
    generations: ['G1'],
    findings: [],
    damage: [],
    days: [{ date: '2026-03-02', odometerAtMidnightKm: 371_532, changes: 1, cardInsertions: 0 }],
    signatures: [
      { file: '7602', verdict: 'unsigned' },
      { file: '7603', verdict: 'unsigned' },
    ],
  });
});

it('ddd reports an invalid download, root certificate or path in one line', async () => {
  const text = await put('notes.ddd', Buffer.from('not a download'));
  const card = await put('whole.ddd', encodeCard({ gen1: content }));
  for (const [args, line] of [
    [[text, '--json'], /^fleetgate: .*notes\.ddd is not a tachograph file\n$/],
    [[card, '--json', '--root', text], /^fleetgate: .*notes\.ddd is not a root certificate of generation 1 or 2\n$/],
    [[join(folder, 'none.ddd'), '--json'], /^fleetgate: .*none\.ddd cannot be read: ENOENT\n$/],
  ] as const) {
    const { code, stdout, stderr } = await runCommand(['ddd', ...args]);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(line);
  }
});
