import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTachograph } from '../../../src/server/tachograph/engine/index.ts';
import type { CardFile, SignatureStatus } from '../../../src/server/tachograph/engine/records.ts';
import { buildTimeline, type TimelineSource } from '../../../src/server/tachograph/engine/timeline/build.ts';
import { DAY, type Timeline } from '../../../src/server/tachograph/engine/timeline/timeline.ts';
import {
  cardFile,
  datesFrom,
  dayOf,
  insertion,
  ordinary,
  type Plan,
  secondsOf,
  unitDay,
  unitFile,
} from '../../support/tachograph.ts';

const NUMBER = 'I000000012345600';
const driver = { nation: 0x1a, number: NUMBER.slice(0, 14) };

const signed = (verdict: SignatureStatus, more: Readonly<Record<string, SignatureStatus>> = {}) =>
  ['0502', '0503', '0504', '0505', '0506', '0507', '0520', '0522'].map((fid) => ({
    file: `gen1/${fid}`,
    verdict: more[fid] ?? verdict,
  }));

const card = (
  days: readonly (readonly [date: string, plan: Plan])[],
  more: Partial<Parameters<typeof cardFile>[0]> = {},
) =>
  parseTachograph(
    cardFile({ number: NUMBER, days: days.map(([date, plan]) => dayOf(date, plan)), ...more }),
  ) as CardFile;

const source = (fileId: string, file: TimelineSource['file'], verdict: SignatureStatus, more = {}): TimelineSource => ({
  fileId,
  file,
  signatures: signed(verdict, more),
});

const long: Plan = [
  ['04:00', 'driving'],
  ['08:00', 'rest'],
  ['08:45', 'driving'],
  ['13:45', 'rest'],
];
const resting: Plan = [['00:00', 'rest']];
const after = ['2026-03-09', resting] as const;

const genuine = card([['2026-03-02', long], after]);
const forged = card([['2026-03-02', resting], after]);

const shape = ({ from, to, intervals, conditions }: Timeline) => ({ from, to, intervals, conditions });
const driving = ({ intervals }: Timeline): number =>
  intervals.reduce((sum, { activity, from, to }) => sum + (activity === 'driving' ? to - from : 0), 0);

describe('sources of a day', () => {
  it.each([
    ['valid', 'invalid'],
    ['valid', 'unsigned'],
    ['valid', 'unverifiable'],
    ['unverifiable', 'invalid'],
    ['unverifiable', 'unsigned'],
    ['unsigned', 'invalid'],
  ] as const)('a %s one counts before one that is %s, whichever came first', (better, worse) => {
    const alone = buildTimeline([source('a', genuine, better)], driver)!;
    for (const [one, other] of [
      ['a', 'z'],
      ['z', 'a'],
    ] as const) {
      const both = buildTimeline([source(one, genuine, better), source(other, forged, worse)], driver)!;
      expect(shape(both)).toEqual(shape(alone));
      expect(driving(both)).toBe(9 * 60);
      expect(both.days[0]!.versions).toMatchObject(
        [
          { fileId: one, verdict: better, contributes: true, minutes: { driving: 540 } },
          { fileId: other, verdict: worse, contributes: worse !== 'invalid', minutes: { driving: 0 } },
        ].toSorted((a, b) => (a.fileId < b.fileId ? -1 : 1)),
      );
      expect(both.days[7]!.versions).toBeUndefined();
    }
  });

  it('with an invalid signature contribute nothing alone, unless a person has admitted their file', () => {
    const invalid = source('a', genuine, 'invalid');
    expect(buildTimeline([invalid], driver)).toBeUndefined();
    expect(driving(buildTimeline([{ ...invalid, isAdmitted: true }], driver)!)).toBe(540);
    // admitted, it is still the last that is believed
    const both = [{ ...source('a', forged, 'invalid'), isAdmitted: true }, source('b', genuine, 'unsigned')];
    expect(driving(buildTimeline(both, driver)!)).toBe(540);
  });

  it('are judged by the activities and the holder together', () => {
    for (const fid of ['0504', '0520']) {
      expect(buildTimeline([source('a', genuine, 'valid', { [fid]: 'invalid' })], driver)).toBeUndefined();
    }
    expect(driving(buildTimeline([source('a', genuine, 'valid', { '0506': 'invalid' })], driver)!)).toBe(540);
  });

  it('with less trust do not outweigh the evidence of others', () => {
    const conditions = [{ time: secondsOf('2026-03-02T03:00:00Z'), type: 1 }];
    const excuse = card([['2026-03-02', long], after], { conditions });
    const of = (...sources: TimelineSource[]) => buildTimeline(sources, driver)!.conditions;
    expect(of(source('a', excuse, 'valid'))).toHaveLength(1);
    expect(of(source('a', excuse, 'valid', { '0522': 'invalid' }))).toEqual([]);
    expect(of(source('a', excuse, 'valid', { '0522': 'unsigned' }))).toEqual([]);
    expect(of(source('a', genuine, 'valid'), source('b', excuse, 'unsigned'))).toEqual([]);
  });

  it('that are trusted less continue a day after the end of the others', () => {
    const half = card([
      [
        '2026-03-02',
        [
          ['04:00', 'driving'],
          ['08:00', 'rest'],
        ],
      ],
    ]);
    const whole = card([['2026-03-02', long], after]);
    const both = buildTimeline([source('a', half, 'valid'), source('b', whole, 'unverifiable')], driver)!;
    expect(driving(both)).toBe(540);
    expect(both.days[0]).toMatchObject({ fileIds: ['a', 'b'] });
    expect(both.days[0]!.versions).toBeUndefined();
  });

  it('of a unit are judged day by day, and compared with the card', () => {
    const dates = ['2026-03-02', '2026-03-03'];
    const unit = parseTachograph(
      unitFile({
        plate: 'AB123CD',
        now: '2026-03-04T00:00:00Z',
        days: dates.map((date) => unitDay(date, [insertion(NUMBER, `${date}T04:00:00Z`, `${date}T14:00:00Z`)], long)),
      }),
    )!;
    const signatures = (second: SignatureStatus) => [
      { file: '7601', verdict: 'valid' as const },
      { file: '7602', verdict: 'valid' as const, date: dates[0]! },
      { file: '7602', verdict: second, date: dates[1]! },
    ];
    const of = (second: SignatureStatus): TimelineSource => ({
      fileId: 'u',
      file: unit,
      signatures: signatures(second),
    });
    expect(driving(buildTimeline([of('valid')], driver)!)).toBe(1080);
    expect(driving(buildTimeline([of('invalid')], driver)!)).toBe(540);
    const false_ = source('c', card([['2026-03-02', resting], ['2026-03-03', resting], after]), 'unsigned');
    const both = buildTimeline([false_, of('invalid')], driver)!;
    expect(driving(both)).toBe(540);
    expect(
      both.days.slice(0, 2).map(({ versions }) => versions?.map(({ source, contributes }) => [source, contributes])),
    ).toEqual([
      [
        ['card', true],
        ['vu', true],
      ],
      [
        ['card', true],
        ['vu', false],
      ],
    ]);
    const agreeing = buildTimeline([source('c', card([['2026-03-02', long], after]), 'valid'), of('valid')], driver)!;
    expect(agreeing.days[0]!.versions).toBeUndefined();
  });
});

describe('the time of a download, which a card does not sign,', () => {
  const until = (plan: Plan, at: string) =>
    card([['2026-03-02', plan]], { lastDownload: secondsOf(`2026-03-02T${at}:00Z`) });
  const morning: Plan = [
    ['04:00', 'driving'],
    ['08:00', 'rest'],
  ];
  const evening = until(long, '20:00');

  it.each(['08:30', '23:59'])('of %s hides nothing that the card recorded afterwards', (stated) => {
    for (const order of [
      [until(morning, stated), evening],
      [evening, until(morning, stated)],
    ]) {
      const both = buildTimeline(
        order.map((file, index) => source(`f${index}`, file, 'valid')),
        driver,
      )!;
      expect(driving(both)).toBe(9 * 60);
    }
  });

  it('is shown as a difference if the card disproves it', () => {
    const both = buildTimeline([source('a', until(morning, '23:59'), 'valid'), source('b', evening, 'valid')], driver)!;
    expect(both.days[0]!.versions?.map(({ minutes }) => minutes.driving)).toEqual([240, 540]);
  });

  it('is not shortened by a record that is trusted less', () => {
    const genuine = source('a', until(morning, '12:00'), 'valid');
    const both = buildTimeline([genuine, source('b', evening, 'unsigned')], driver)!;
    const rest = both.intervals.find(({ from }) => from % DAY === 480)!;
    expect([rest.activity, rest.to % DAY]).toEqual(['rest', 720]);
  });
});

describe('uploads of genuine files', () => {
  const dates = datesFrom('2026-03-02', 20);
  const plans: readonly Plan[] = [ordinary, long, resting];
  const download = (first: number, last: number): CardFile =>
    card(dates.slice(first, last + 1).map((date, index) => [date, plans[(first + index) % 3]!] as const));
  const subset = fc.uniqueArray(
    fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 7 })).map(([first, length]) => [first, first + length] as const),
    { minLength: 1, maxLength: 6, selector: ([first, last]) => `${first}-${last}` },
  );

  it('give the same timeline in any order and under any ids, and a forged card never displaces them', () => {
    fc.assert(
      fc.property(
        subset,
        fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
        fc.constantFrom('valid', 'unverifiable'),
        (spans, keys, verdict) => {
          const files = spans.map(([first, last]) => download(first, last));
          const named = (order: readonly CardFile[]) => order.map((file, index) => source(`f${index}`, file, verdict));
          const shuffled = files
            .map((file, index) => [keys[index]!, file] as const)
            .sort((a, b) => a[0] - b[0])
            .map(([, file]) => file);
          const expected = buildTimeline(named(files), driver)!;
          expect(shape(buildTimeline(named(shuffled), driver)!)).toEqual(shape(expected));
          expect(expected.days.every(({ versions }) => versions === undefined)).toBe(true);
          const forgery = card(dates.map((date) => [date, [['01:00', 'work']] as Plan] as const));
          const invalid = source('zz', forgery, 'invalid');
          expect(shape(buildTimeline([...named(shuffled), invalid], driver)!)).toEqual(shape(expected));
          // an unsigned one fills days without data, and changes no minute that the genuine files know
          const unsigned = buildTimeline([source('0', forgery, 'unsigned'), ...named(files)], driver)!;
          const at = (of: Timeline, minute: number) =>
            of.intervals.find(({ from, to }) => from <= minute && minute < to)?.activity;
          for (const { from, to, activity } of expected.intervals) {
            if (activity === 'unknown') continue;
            for (const minute of [from, to - 1]) expect(at(unsigned, minute)).toBe(activity);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
