import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  ActivityChange,
  ActivityDay,
  CardFile,
  CardSection,
  VehicleUnitFile,
  VuDay,
} from '../../../src/server/tachograph/engine/records.ts';
import { buildTimeline, driverOf, type TimelineSource } from '../../../src/server/tachograph/engine/timeline/build.ts';
import { DAY, type Timeline } from '../../../src/server/tachograph/engine/timeline/timeline.ts';
import { changes } from './scenario.ts';

const driver = { nation: 26, number: 'I1000000000001' };

const word = (minute: number, activity: ActivityChange['activity'], more: Partial<ActivityChange> = {}) =>
  ({ minute, activity, slot: 'driver', inserted: true, status: 'single', ...more }) as ActivityChange;
const manual = { inserted: false, status: 'manual' } as const;
const absent = { inserted: false, status: 'unknown' } as const;

const day = (date: string, words: readonly ActivityChange[], distanceKm = 100): ActivityDay => ({
  date,
  presenceCounter: 1,
  distanceKm,
  changes: words,
});

const section = (days: readonly ActivityDay[], more: Partial<CardSection> = {}): CardSection => ({
  generation: 'G1',
  present: [],
  days,
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
  ...more,
});

const identification = (cardNumber: string, nation = 26) => ({
  nation,
  cardNumber,
  authority: '',
  issued: null,
  validFrom: null,
  expiry: null,
  surname: '',
  firstNames: '',
  birthDate: null,
  language: '',
});

function card(days: readonly ActivityDay[], more: Partial<CardSection> = {}, number = `${driver.number}00`): CardFile {
  const gen1 = section(days, { identification: identification(number), ...more });
  return { kind: 'driver-card', generations: ['G1'], gen1, findings: [] };
}

const source = (fileId: string, file: TimelineSource['file'], downloadedAt?: string): TimelineSource => ({
  fileId,
  file,
  ...(downloadedAt === undefined ? {} : { downloadedAt: Date.parse(downloadedAt) / 1000 }),
});

/** `rest 0-360` of the day that the timeline begins with, minutes from its start. */
const summary = ({ from, intervals }: Timeline): string[] =>
  intervals.map((of) => `${of.activity} ${of.from - from}-${of.to - from}${of.source === 'vu' ? ' vu' : ''}`);

const later = day('2026-03-09', [word(0, 'rest')]);

describe('a driver’s time', () => {
  it('follows the activity words of the card including manual entries, and is unknown while the card was withdrawn', () => {
    const words = [word(0, 'rest', manual), word(300, 'work'), word(400, 'driving'), word(700, 'rest', absent)];
    const timeline = buildTimeline([source('a', card([day('2026-03-02', words), later]))], driver)!;
    expect(summary(timeline).slice(0, 4)).toEqual([
      'rest 0-300',
      'work 300-400',
      'driving 400-700',
      `unknown 700-${8 * DAY}`,
    ]);
    expect(timeline.intervals[0]!.source).toBe('manual');
    expect(timeline.days[0]).toEqual({
      date: '2026-03-02',
      fileIds: ['a'],
      distanceKm: 100,
      unknownMinutes: DAY - 700,
    });
    expect(timeline.days[1]).toEqual({ date: '2026-03-03', fileIds: [], distanceKm: 0, unknownMinutes: DAY });
  });

  it('goes on after the newest day’s last word until the download, and is unknown from then on', () => {
    const newest = card([day('2026-03-02', [word(0, 'rest'), word(600, 'driving')])]);
    expect(summary(buildTimeline([source('a', newest)], driver)!)).toEqual(['rest 0-600', 'unknown 600-1440']);
    const known = buildTimeline([source('a', newest, '2026-03-02T12:00:00Z')], driver)!;
    expect(summary(known)).toEqual(['rest 0-600', 'driving 600-720', 'unknown 720-1440']);
    const lastDownload = Date.parse('2026-03-02T11:00:00Z') / 1000;
    const complete = card(newest.gen1!.days, { lastDownload });
    expect(summary(buildTimeline([source('a', complete)], driver)!)[1]).toBe('driving 600-660');
    const before = card(newest.gen1!.days, { lastDownload: Date.parse('2026-02-01T11:00:00Z') / 1000 });
    expect(summary(buildTimeline([source('a', before)], driver)!)[1]).toBe('unknown 600-1440');
  });

  it('counts once in files that overlap: the day that is recorded to its end is taken', () => {
    const morning = [word(0, 'rest'), word(360, 'driving')];
    const whole = [...morning, word(600, 'rest')];
    const files = [
      source('early', card([day('2026-03-02', morning, 40)]), '2026-03-02T08:00:00Z'),
      source('late', card([day('2026-03-02', whole, 240), later])),
      source('again', card([day('2026-03-02', whole, 240), later])),
    ];
    for (const order of [files, files.toReversed()]) {
      const timeline = buildTimeline(order, driver)!;
      expect(summary(timeline).slice(0, 2)).toEqual(['rest 0-360', 'driving 360-600']);
      expect(timeline.days[0]!.distanceKm).toBe(240);
    }
  });

  it('counts once in the two applications of a card', () => {
    const days = [day('2026-03-02', [word(0, 'driving')], 240), later];
    const both = { ...card(days), gen2: section(days, { identification: identification(`${driver.number}00`) }) };
    expect(buildTimeline([source('a', both)], driver)!.days[0]!.distanceKm).toBe(240);
  });

  it('joins the old card and the renewed one', () => {
    const old = card([day('2026-03-02', [word(0, 'driving'), word(300, 'rest', absent)], 70), later]);
    const renewed = card(
      [day('2026-03-02', [word(0, 'rest', absent), word(290, 'work'), word(500, 'rest')], 30), later],
      {},
      `${driver.number}01`,
    );
    const timeline = buildTimeline([source('old', old), source('new', renewed)], driver)!;
    // Ten minutes that both record: driving counts before work.
    expect(summary(timeline).slice(0, 3)).toEqual(['driving 0-300', 'work 300-500', 'rest 500-1440']);
    expect(timeline.days[0]).toMatchObject({ distanceKm: 100, fileIds: ['new', 'old'] });
  });

  it('ignores the cards of other drivers or nations', () => {
    expect(driverOf(card([]))).toEqual(driver);
    expect(buildTimeline([source('a', card([later], {}, 'I200000000000100'))], driver)).toBeUndefined();
    const abroad = card([later], { identification: identification(`${driver.number}00`, 17) });
    expect(buildTimeline([source('a', abroad)], driver)).toBeUndefined();
  });

  it('comes from a unit while the card is inserted, for its slot, where the card has no data', () => {
    const at = (time: string): number => Date.parse(`2026-03-02T${time}:00Z`) / 1000;
    const vuDay: VuDay = {
      date: '2026-03-02',
      generation: 'G2v1',
      odometerAtMidnightKm: 0,
      places: [],
      gnss: [],
      specificConditions: [],
      borderCrossings: [],
      loadUnloads: [],
      changes: [
        word(0, 'rest'),
        word(0, 'driving', { slot: 'co-driver' }),
        word(120, 'driving'),
        word(300, 'availability', { slot: 'co-driver' }),
      ],
      insertions: [
        {
          surname: '',
          firstNames: '',
          card: { type: 1, nation: 26, number: `${driver.number}00` },
          expiry: null,
          inserted: at('01:00'),
          odometerInsertedKm: 0,
          slot: 1,
          withdrawn: at('06:00'),
          odometerWithdrawnKm: 0,
          previousVehicle: { nation: 0, number: '' },
          previousWithdrawn: null,
          manualEntries: false,
        },
      ],
    };
    const unit: VehicleUnitFile = {
      kind: 'vehicle-unit',
      generations: ['G2v1'],
      days: [vuDay],
      incompleteDays: [],
      faults: [],
      events: [],
      overspeeds: [],
      timeAdjustments: [],
      speeds: [],
      findings: [],
    };
    const alone = buildTimeline([source('vu', unit)], driver)!;
    expect(summary(alone)).toEqual([
      'unknown 0-60',
      'driving 60-300 vu',
      'availability 300-360 vu',
      'unknown 360-1440',
    ]);
    const words = [word(0, 'rest', absent), word(100, 'rest', manual), word(200, 'rest', absent)];
    const both = buildTimeline([source('vu', unit), source('a', card([day('2026-03-02', words), later]))], driver)!;
    expect(summary(both).slice(0, 5)).toEqual([
      'unknown 0-60',
      'driving 60-100 vu',
      'rest 100-200',
      'driving 200-300 vu',
      'availability 300-360 vu',
    ]);
  });

  it('comes from a unit on the days between the ends of an insertion', () => {
    const at = (date: string): number => Date.parse(`${date}:00Z`) / 1000;
    const stay = {
      surname: '',
      firstNames: '',
      card: { type: 1, nation: 26, number: `${driver.number}00` },
      expiry: null,
      inserted: at('2026-03-02T22:00'),
      odometerInsertedKm: 0,
      slot: 0,
      withdrawn: at('2026-03-04T02:00'),
      odometerWithdrawnKm: 0,
      previousVehicle: { nation: 0, number: '' },
      previousWithdrawn: null,
      manualEntries: false,
    };
    const days = ['2026-03-02', '2026-03-03', '2026-03-04'].map((date, index) => ({
      date,
      generation: 'G1' as const,
      odometerAtMidnightKm: 0,
      places: [],
      gnss: [],
      specificConditions: [],
      borderCrossings: [],
      loadUnloads: [],
      changes: [word(0, 'rest')],
      insertions: index === 1 ? [] : [stay],
    }));
    const unit: VehicleUnitFile = {
      kind: 'vehicle-unit',
      generations: ['G1'],
      days,
      incompleteDays: [],
      faults: [],
      events: [],
      overspeeds: [],
      timeAdjustments: [],
      speeds: [],
      findings: [],
    };
    expect(summary(buildTimeline([source('vu', unit)], driver)!)).toEqual([
      `unknown 0-${22 * 60}`,
      `rest ${22 * 60}-${50 * 60} vu`,
      `unknown ${50 * 60}-${72 * 60}`,
    ]);
  });

  it('is the same whatever the order of the files, and however often they come', () => {
    const files = fc
      .array(fc.tuple(fc.nat(6), changes), { minLength: 1, maxLength: 5 })
      .map((list) =>
        list.map(([index, words], file) =>
          source(`${file}`, card([day(`2026-03-0${index + 1}`, words), later], {}, `${driver.number}0${file % 2}`)),
        ),
      );
    fc.assert(
      fc.property(files, (list) => {
        const timeline = buildTimeline(list, driver)!;
        expect(buildTimeline([...list, ...list], driver)).toEqual(timeline);
        expect(buildTimeline(list.toReversed(), driver)).toEqual(timeline);
        let at = timeline.from;
        for (const { from, to } of timeline.intervals) {
          expect(from).toBe(at);
          expect(to).toBeGreaterThan(from);
          at = to;
        }
        expect(at).toBe(timeline.to);
      }),
      { numRuns: 50 },
    );
  });
});

it('flags run from their beginning to their end', () => {
  const minute = (text: string): number => Date.parse(text) / 60_000;
  const at = (text: string, type: number) => ({ time: minute(text) * 60, type });
  const specificConditions = [
    at('2026-03-02T10:00Z', 1),
    at('2026-03-02T11:00Z', 2),
    at('2026-03-03T20:00Z', 3),
    at('2026-03-04T04:00Z', 4),
    at('2026-03-05T10:00Z', 1),
    at('2026-03-06T20:00Z', 3),
    at('2026-03-06T21:00Z', 9),
  ];
  const timeline = buildTimeline([source('a', card([later], { specificConditions }))], driver)!;
  expect(timeline.conditions).toEqual([
    { kind: 'out-of-scope', from: minute('2026-03-02T10:00Z'), to: minute('2026-03-02T11:00Z') },
    { kind: 'ferry', from: minute('2026-03-03T20:00Z'), to: minute('2026-03-04T04:00Z') },
    { kind: 'out-of-scope', from: minute('2026-03-05T10:00Z'), to: minute('2026-03-10T00:00Z') },
    { kind: 'ferry', from: minute('2026-03-06T20:00Z'), to: null },
  ]);
});

describe('out of scope without an end', () => {
  const minute = (text: string): number => Date.parse(`${text}Z`) / 60_000;
  const begun = { specificConditions: [{ time: minute('2026-03-02T22:00') * 60, type: 1 }] };
  const endOf = (days: readonly ActivityDay[], more: readonly TimelineSource[] = []) =>
    buildTimeline([source('a', card(days, begun)), ...more], driver)!.conditions.map(({ to }) => to);
  const evening = [word(0, 'rest'), word(1_200, 'driving')];

  it.each([
    [
      'a withdrawal on the same day',
      [day('2026-03-02', [...evening, word(1_350, 'rest', absent)])],
      '2026-03-02T22:30',
    ],
    [
      'a withdrawal on the next day, beyond midnight',
      [day('2026-03-02', evening), day('2026-03-03', [word(0, 'driving'), word(90, 'rest', manual)])],
      '2026-03-03T01:30',
    ],
    [
      'the insertion of a second card',
      [day('2026-03-02', evening), day('2026-03-03', [word(0, 'driving'), word(60, 'driving', { status: 'crew' })])],
      '2026-03-03T01:00',
    ],
    [
      'the data',
      [day('2026-03-02', evening), day('2026-03-03', [word(0, 'driving'), word(60, 'rest')])],
      '2026-03-04T00:00',
    ],
  ] as const)('ends with %s', (_, days, expected) => {
    expect(endOf(days)).toEqual([minute(expected)]);
  });

  it('ends with the withdrawal of another driver’s card, which the unit of the vehicle records', () => {
    const stay = (number: string, slot: 0 | 1, from: string, to: string): VuDay['insertions'][number] => ({
      surname: '',
      firstNames: '',
      card: { type: 1, nation: 26, number },
      expiry: null,
      inserted: minute(from) * 60,
      odometerInsertedKm: 0,
      slot,
      withdrawn: minute(to) * 60,
      odometerWithdrawnKm: 0,
      previousVehicle: { nation: 0, number: '' },
      previousWithdrawn: null,
      manualEntries: false,
    });
    const unit: VehicleUnitFile = {
      kind: 'vehicle-unit',
      generations: ['G1'],
      days: [
        {
          date: '2026-03-02',
          generation: 'G1',
          odometerAtMidnightKm: 0,
          places: [],
          gnss: [],
          specificConditions: [],
          borderCrossings: [],
          loadUnloads: [],
          changes: [word(0, 'rest'), word(1_200, 'driving')],
          insertions: [
            stay(`${driver.number}00`, 0, '2026-03-02T20:00', '2026-03-02T23:50'),
            stay('I2000000000002 0', 1, '2026-03-02T21:00', '2026-03-02T23:10'),
          ],
        },
      ],
      incompleteDays: [],
      faults: [],
      events: [],
      overspeeds: [],
      timeAdjustments: [],
      speeds: [],
      findings: [],
    };
    expect(endOf([day('2026-03-02', evening)], [source('vu', unit)])).toEqual([minute('2026-03-02T23:10')]);
  });

  it('is not ended by what came before it', () => {
    const days = [
      day('2026-03-02', [word(0, 'rest', absent), word(1_200, 'driving')]),
      day('2026-03-03', [word(0, 'rest')]),
    ];
    expect(endOf(days)).toEqual([minute('2026-03-04T00:00')]);
  });
});
