import { expect, it } from 'vitest';
import { describeRules, rulesOf, summaryOfRules } from '../../../src/cli/ddd-rules.ts';
import { encodeCard, type SectionContent } from '../../../src/server/tachograph/engine/card/encode.ts';
import { type ActivityChange, parseTachograph } from '../../../src/server/tachograph/engine/index.ts';

const word = (minute: number, activity: ActivityChange['activity']): ActivityChange => ({
  minute,
  activity,
  slot: 'driver',
  inserted: true,
  status: 'single',
});

const gen1: SectionContent = {
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
    authority: '',
    issued: null,
    validFrom: null,
    expiry: null,
    surname: 'A',
    firstNames: 'B',
    birthDate: null,
    language: 'it',
  },
  days: [
    {
      date: '2026-03-02',
      presenceCounter: 1,
      distanceKm: 400,
      // 06:00 to 11:10 without a break
      changes: [word(0, 'rest'), word(360, 'driving'), word(670, 'rest'), word(720, 'driving'), word(800, 'rest')],
    },
  ],
};

it('ddd reports what the rules find in a file', () => {
  const bytes = encodeCard({ gen1 });
  const rules = rulesOf(parseTachograph(bytes)!, bytes);
  expect(describeRules(rules)).toMatchObject({
    findings: [
      {
        rule: 'B1',
        article: '7',
        from: '2026-03-02T06:00Z',
        to: '2026-03-02T11:10Z',
        limit_min: 270,
        actual_min: 310,
        delta_min: 40,
        eu_level: 'SI',
        cds: { comma: '8' },
        status: 'open',
        driver: { nation: 26, number: 'I1000000000001' },
        evidence: [{ kind: 'driving', day: '2026-03-02', minutes: 310 }],
      },
    ],
  });
  expect(summaryOfRules(rules)[0]).toBe('finding     B1 2026-03-02T06:00Z 5:10 of 4:30, SI, 561/2006 art. 7');
});
