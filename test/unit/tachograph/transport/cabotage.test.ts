import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countryCode } from '../../../../src/server/tachograph/engine/nations.ts';
import type { CabotageRecord } from '../../../../src/server/tachograph/engine/transport/cabotage.ts';
import { operationsOf, operationsOfVehicle } from '../../../../src/server/tachograph/engine/transport/operations.ts';
import { daysAfter } from '../../../../src/server/tachograph/engine/transport/periods.ts';
import type { Stay } from '../../../../src/server/tachograph/engine/transport/stays.ts';
import { cabotage, entered, ITALY, judge, nation, PLATE, secondsAt } from './journey.ts';
import { type Carriage, countAgain } from './second-count.ts';

/** `I-D 02/06-03/09`: loaded in Italy on 2 March at 6, unloaded in Germany on 3 March at 9. Days of April follow 31. */
function carriages(text: string) {
  return text.split(',').map((each, index) => {
    const [states = '', when = ''] = each.trim().split(/\s+/);
    const [from = '', to = ''] = states.split('-');
    const [loaded = '', unloaded = ''] = when.split('-').map((day) => {
      const [date = '', hour = ''] = day.split('/');
      return new Date(Date.UTC(2026, 2, Number(date), Number(hour))).toISOString().slice(0, 16);
    });
    return entered(`${from} ${loaded} ${to} ${unloaded}`, `c${index}`);
  });
}

/** The border into another state is crossed an hour before each loading in it. */
function recordOf(text: string, at = '2026-05-01T00:00'): CabotageRecord {
  const { operations } = judge('', carriages(text));
  const stays: Stay[] = operations.flatMap(({ loadedIn, loadedAt, unloadedIn, unloadedAt }) => [
    { country: loadedIn!, from: loadedAt! - 3_600, to: null, isCrossing: true },
    { country: unloadedIn!, from: unloadedAt!, to: null, isCrossing: true },
  ]);
  const joined = stays.filter((stay, index) => stays[index - 1]?.country !== stay.country);
  return cabotage(operations, joined, at);
}

const results = (text: string): string[] =>
  recordOf(text).operations.map(({ number, status, remarks }) => [number, status, ...remarks].join(' '));

/** 2 March 2026 is a Monday. */
describe('Regulation 1072/2009, article 8, as amended by 2020/1055', () => {
  it.each<readonly [string, string, readonly string[]]>([
    [
      '8(2): up to three operations after the incoming carriage',
      'I-D 02/06-03/09, D-D 03/10-03/18, D-D 04/08-04/18, D-D 05/08-05/18, D-D 06/08-06/18',
      ['1 allowed', '2 allowed', '3 allowed', '4 not-allowed fourth-operation'],
    ],
    [
      '8(2): the last unloading within seven days, which begin with the day after the unloading',
      'I-D 02/06-03/09, D-D 10/08-10/18',
      ['1 allowed'],
    ],
    ['an hour into the eighth day', 'I-D 02/06-03/09, D-D 10/08-11/01', ['1 not-allowed after-seven-days']],
    ['8(2): without an incoming carriage', 'D-D 03/08-03/18', ['0 not-allowed no-incoming-carriage']],
    [
      'national carriage is no incoming one',
      'I-I 02/06-02/09, D-D 03/08-03/18',
      ['0 not-allowed no-incoming-carriage'],
    ],
    [
      '8(2), second subparagraph: one in each other state within three days of the unladen entry',
      'I-D 02/06-02/09, F-F 04/10-04/18, B-B 05/08-05/18, B-B 06/08-06/18',
      ['1 allowed', '2 allowed', '3 not-allowed second-in-state'],
    ],
    ['the three days of the entry are over', 'I-D 02/06-02/09, F-F 03/10-07/10', ['1 not-allowed after-three-days']],
    ['they end on a Saturday', 'I-D 02/06-02/09, F-F 04/10-08/10', ['1 review after-three-days']],
    [
      '8(2a): four days after the end of the operations in the state',
      'I-D 02/06-02/09, D-D 02/10-02/18, D-F 03/06-03/18, F-D 05/06-05/18, D-D 06/08-06/18',
      ['1 allowed', '1 not-allowed cooling-off'],
    ],
    [
      '8(2a): on the fifth day it is allowed',
      'I-D 02/06-02/09, D-D 02/10-02/18, D-F 03/06-03/18, F-D 05/06-06/18, D-D 07/08-07/18',
      ['1 allowed', '1 allowed'],
    ],
    [
      '8(2a): another state is not affected',
      'I-D 02/06-02/09, D-D 02/10-02/18, D-F 03/06-03/18, F-F 04/08-04/18',
      ['1 allowed', '1 allowed'],
    ],
    [
      '8(2a): without leaving the state there is no cooling-off',
      'I-D 02/06-02/09, D-D 02/10-02/18, D-D 03/08-03/18',
      ['1 allowed', '2 allowed'],
    ],
    [
      '8(2): an incoming carriage is delivered in a Member State: one that ends in Switzerland allows nothing',
      'I-CH 02/06-03/09, D-D 03/12-03/18',
      ['0 not-allowed no-incoming-carriage'],
    ],
    [
      'and is for review where another one came before',
      'I-D 02/06-02/09, D-CH 03/06-03/18, F-F 04/08-04/18',
      ['1 review carriage-between'],
    ],
    ['Norway belongs to the market', 'I-N 02/06-03/09, N-N 03/10-03/18', ['1 allowed']],
    [
      'within Switzerland the regulation neither allows nor counts anything',
      'I-CH 02/06-03/09, CH-CH 03/10-03/18, CH-D 04/06-04/12, D-D 04/13-04/18',
      ['0 review outside-union', '1 allowed'],
    ],
    [
      'an international carriage home in between is for review',
      'I-D 02/06-02/09, D-I 03/06-03/18, F-F 04/08-04/18',
      ['1 review carriage-between'],
    ],
    [
      'national carriage at home in between is for review, as every carriage is',
      'I-D 02/06-02/09, I-I 03/06-03/18, F-F 04/08-04/18',
      ['1 review carriage-between'],
    ],
    [
      'back in the host after another state: the first operation there, and a second one for review',
      'I-D 02/06-02/09, F-F 03/10-03/18, D-D 04/08-04/18, D-D 05/08-05/18',
      ['1 allowed', '2 allowed', '3 review second-in-state'],
    ],
    [
      'back in the host: after the three days for review',
      'I-D 02/06-02/09, F-F 02/10-02/18, D-D 03/08-07/09',
      ['1 allowed', '2 review after-three-days'],
    ],
    [
      'questions and answers of the Commission: after an operation in B, one in A within four days is not allowed',
      'I-D 02/06-02/09, D-D 02/10-03/18, F-F 04/08-04/18, D-D 06/08-06/18',
      ['1 allowed', '2 allowed', '3 not-allowed cooling-off'],
    ],
    [
      'an incoming carriage within the four days allows nothing until they are over',
      'I-D 02/06-02/09, D-D 02/10-03/18, D-I 04/06-04/18, I-D 05/06-06/09, D-D 06/10-06/18, D-D 10/08-10/18',
      ['1 allowed', '1 not-allowed cooling-off', '2 allowed'],
    ],
    [
      'the seven days end on a Saturday: on Monday for review, on Tuesday over',
      'F-D 06/06-07/09, D-D 16/08-16/18, D-D 17/08-17/18',
      ['1 review after-seven-days', '2 not-allowed after-seven-days'],
    ],
    [
      'from a third country into a Member State',
      'CH-F 02/06-02/18, F-F 03/08-03/18, F-F 04/08-04/18, F-F 05/08-05/18',
      ['1 allowed', '2 allowed', '3 allowed'],
    ],
    [
      'a new incoming carriage begins a new count in another state',
      'I-D 02/06-02/09, D-D 02/10-02/18, D-D 03/08-03/12, D-D 03/13-03/18, D-B 04/06-04/09, B-B 04/10-04/18',
      ['1 allowed', '2 allowed', '3 allowed', '1 allowed'],
    ],
    [
      'a fourth one in another state is not allowed either',
      'I-D 02/06-02/09, D-D 02/10-02/18, D-D 03/08-03/12, D-D 03/13-03/18, F-F 04/10-04/18',
      ['1 allowed', '2 allowed', '3 allowed', '4 not-allowed fourth-operation'],
    ],
    [
      'three states after one delivery, one operation each',
      'I-D 02/06-02/09, F-F 03/10-03/18, B-B 04/08-04/18, NL-NL 05/08-05/18',
      ['1 allowed', '2 allowed', '3 allowed'],
    ],
  ])('%s', (_name, text, expected) => {
    expect(results(text)).toEqual(expected);
  });

  it('goods for another state that are still aboard are for review: the Commission expects an empty vehicle', () => {
    expect(results('I-D 02/06-03/09, I-F 02/07-05/09, D-D 03/10-03/18')).toEqual(['1 review incoming-not-delivered']);
    expect(results('I-D 02/06-03/09, D-I 03/09-05/09, D-D 03/10-03/18')).toEqual(['1 allowed']);
  });

  it('cabotage begins when the incoming goods are delivered', () => {
    expect(results('I-D 02/06-05/09, D-D 03/10-03/18')).toEqual([
      '0 not-allowed no-incoming-carriage incoming-not-delivered',
    ]);
  });

  it('two loadings and two unloadings are one operation, for review: a state may count two (Court of Justice, C-541/16)', () => {
    const journey = (transfers: string): string[] => {
      const { operations, stays } = judge(
        `2026-03-02T05:00 I begin, 2026-03-02T06:00 L, 2026-03-02T18:00 > D, 2026-03-03T09:00 U, ${transfers}`,
      );
      const { operations: found } = cabotage(operations, stays, '2026-03-04T00:00');
      return found.map(({ number, status, remarks }) => [number, status, ...remarks].join(' '));
    };
    const [load, again, unload, last] = ['10 L', '11 L', '12 U', '13 U'].map((each) => {
      const [hour, what] = each.split(' ');
      return `2026-03-03T${hour}:00 ${what}`;
    });
    expect(journey([load, again, unload, last].join())).toEqual(['1 review several-points']);
    // several points of one side alone are one operation everywhere
    expect(journey([load, again, unload].join())).toEqual(['1 allowed']);
    expect(journey([load, unload, last].join())).toEqual(['1 allowed']);
  });

  it('road legs of combined transport do not count', () => {
    const legs = carriages('I-D 02/06-03/09, D-D 03/10-03/18').map((each, index) => ({
      ...each,
      isCombined: index === 1,
    }));
    const { operations, stays } = judge('', legs);
    expect(cabotage(operations, stays, '2026-03-04T00:00')).toMatchObject({ operations: [], open: { remaining: 3 } });
  });

  it('says what is left, until when, and where the vehicle must wait', () => {
    const record = recordOf('I-D 02/06-02/09, D-D 02/10-02/18, D-F 03/06-03/18', '2026-03-04T12:00');
    expect(record.open).toMatchObject({ country: nation('F'), remaining: 3 });
    expect(record.open?.until.calendar).toBe(secondsAt('2026-03-11T00:00'));
    expect(record.coolingOff.map(({ country }) => countryCode(country))).toEqual(['D']);
    expect(record.coolingOff[0]?.until.calendar).toBe(secondsAt('2026-03-07T00:00'));
  });

  it('both drivers of a crew are one operation, and an entry of one replaces what the other recorded', () => {
    const uses = [{ plate: PLATE, from: 0, to: null }];
    const at = (hour: string) => secondsAt(`2026-03-03T${hour}:00`);
    const places = [
      { at: at('06'), kind: 'border', country: nation('D'), odometerKm: null, position: null },
      { at: at('08'), kind: 'load', country: 0, odometerKm: null, position: null },
      { at: at('12'), kind: 'unload', country: 0, odometerKm: null, position: null },
    ] as const;
    const own = operationsOf({ places, uses, entered: [], establishment: ITALY });
    expect(operationsOfVehicle([...own, ...own])).toHaveLength(1);
    const [stated] = judge('', [entered('D 2026-03-03T07:30 D 2026-03-03T12:30')]).operations;
    expect(operationsOfVehicle([...own, stated!]).map(({ source }) => source)).toEqual(['entered']);
  });
});

describe('Regulation 1182/71, article 3', () => {
  const end = (from: string, days: number) => {
    const { calendar, extended } = daysAfter(secondsAt(from), days, 'UTC');
    return [calendar, extended].map((at) => new Date(at * 1000 - 1).toISOString().slice(5, 10));
  };
  it('an example of hauliers: cabotage ends on a Tuesday, the four days on Saturday, or on Monday', () => {
    expect(end('2026-03-03T10:00', 4)).toEqual(['03-07', '03-09']);
  });
  it('a period contains two working days', () => {
    expect(end('2026-03-06T10:00', 3)).toEqual(['03-09', '03-10']);
  });
  it('days are those of the zone', () => {
    const { calendar } = daysAfter(secondsAt('2026-03-27T23:30'), 4, 'Europe/Rome');
    expect(new Date(calendar * 1000).toISOString()).toBe('2026-04-01T22:00:00.000Z');
  });
});

it('agrees with a second count over random journeys', () => {
  const state = fc.constantFrom('I', 'D', 'F', 'B');
  const step = fc.tuple(state, state, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      let hour = 30;
      const list = steps.map(([from, to, pause, length]) => {
        hour += pause;
        const loaded = hour;
        hour += length;
        return { from, to, loaded, unloaded: hour };
      });
      const text = list.map(({ from, to, loaded, unloaded }) => {
        const clock = (at: number) => `${Math.floor(at / 24)}/${at % 24}`;
        return `${from}-${to} ${clock(loaded)}-${clock(unloaded)}`;
      });
      const epoch = Date.UTC(2026, 1, 28);
      const again = list.map(
        (each): Carriage => ({
          ...each,
          loaded: epoch + each.loaded * 3_600_000,
          unloaded: epoch + each.unloaded * 3_600_000,
        }),
      );
      const own = recordOf(text.join(', ')).operations.map(({ status }) => status);
      expect(own).toEqual(countAgain(again, 'I'));
    }),
    { numRuns: 500 },
  );
});
