import { describe, expect, it } from 'vitest';
import { analysed, found, minute, plan, short } from './plan.ts';

/**
 * The Commission's guidance notes 4 and 5 on Regulation 561/2006 as far as they bear on what is computed. Notes 1, 2, 3, 6
 * and 7 stand with their articles in the other tables; note 8, exceptional situations when driving without a driver card is
 * allowed, decides on nothing that is computed: such driving becomes a notice. Titles are those of the Commission's list of
 * notes. Their texts were not available: each title says what is held, each comment what of it is from memory.
 */
const MONDAY = '2026-03-02T06:00';

describe('driving time recorded in frequent-stop multi-drop operations, guidance note 4', () => {
  // From memory: the note is about digital tachographs of the first generation, whose rounding to whole minutes makes
  // many short stops look like driving, and lets those who check allow for it (the figure of up to 15 minutes in four
  // and a half hours was not verified). The file is taken as it was recorded: allowing for it is theirs to do.
  it('uses minutes as recorded, without tolerance', () => {
    expect(found(plan(MONDAY, '(D0:09 W0:06)x30 R0:45 W1 R11'))).toEqual(['TB6 450/360 -']);
    const stops = analysed(plan(MONDAY, '(D0:10 W0:03)x28 R0:45 W1 R11'));
    expect(stops.findings.map(short)).toEqual(['B1 280/270 MI', 'TB6 364/360 -']);
    expect(stops.findings[0]!.evidence).toHaveLength(28);
  });

  it('a stop of less than fifteen minutes is no break, however many there are', () => {
    expect(found(plan(MONDAY, '(D0:30 R0:14)x10 R11'))).toEqual(['B1 300/270 SI']);
    expect(found(plan(MONDAY, '(D0:30 R0:15)x4 D0:30 R0:30 (D0:30 R0:15)x4 R11'))).toEqual([]);
  });
});

describe('attestation of activities, guidance note 5', () => {
  // The note is about the form of Decision 2009/959/EU for leave, sickness and other time away from the vehicle. From
  // memory: the form is for what could not be entered on the tachograph. No file holds a form, so the time stays
  // unknown: it proves nothing against the driver, and a notice asks for what explains it.
  const leave = 'D4 R0:45 D4 R15:15 U120 D4 R0:45 D4 R12';

  it('is no infringement, and a notice asks for it', () => {
    const { findings, notices } = analysed(plan(MONDAY, leave));
    expect(findings).toEqual([]);
    expect(notices.map(({ kind, from, minutes }) => ({ kind, from, minutes }))).toEqual([
      { kind: 'undeclared-activity', from: minute('2026-03-03T06:00'), minutes: 120 * 60 },
    ]);
  });

  it('is marked where it counted as the weekly rest', () => {
    const { weeklyRests } = analysed(plan(MONDAY, `${leave} R45 W1 R11`));
    expect(weeklyRests[0]).toMatchObject({ kind: 'regular', unknownMinutes: 120 * 60 });
  });

  it('entered by hand it is known, and asks for nothing', () => {
    const known = plan(MONDAY, leave.replace('U120', 'R120'));
    expect(analysed(known).notices).toEqual([]);
    expect(analysed(known).weeklyRests[0]).toMatchObject({ kind: 'regular', unknownMinutes: 0 });
  });

  it('is working time where that was entered: other work in it ends the rest', () => {
    const worked = plan(MONDAY, leave.replace('U120', 'R40 W4 R40 W4 R32'));
    const rests = analysed(worked).weeklyRests.map(({ minutes, kind }) => [minutes, kind]);
    expect(rests.slice(0, 3)).toEqual([
      [55 * 60 + 15, 'regular'],
      [40 * 60, 'reduced'],
      [32 * 60, 'reduced'],
    ]);
  });
});

describe('driving of a day whose rest was not taken in full, decision of 7 June 2011', () => {
  // The Commission's decision on the calculation of daily driving time: where a due rest was not taken in full, the day
  // ends with a rest of seven hours and more. Its text was not available either.
  const NINE = 'D4:30 R0:45 D4:30';
  it.each([
    ['seven hours end the day', `${NINE} R7 ${NINE} R11`, ['R1 420/540 SI']],
    ['a minute less and both are one', `${NINE} R6:59 ${NINE} R11`, ['D1 1080/600 MSI', 'R1 419/540 VSI']],
    ['so do several of seven, one after the other', `(${NINE} R7)x3 ${NINE} R11`, Array(3).fill('R1 420/540 SI')],
    ['two that make seven together do not', `${NINE} R3:30 W0:30 R3:30 D4 R11`, ['D1 780/600 VSI', 'R1 210/540 VSI']],
    ['a rest that is interrupted after seven hours has ended it', `${NINE} R7:30 W0:10 R1 D4 R11`, ['R1 450/540 SI']],
  ])('%s', (_, text, expected) => {
    const own = analysed(plan(MONDAY, text)).findings.filter(({ regulation }) => regulation === '561/2006');
    expect(own.map(short)).toEqual(expected);
  });
});

/** Examples that drivers and trainers publish with their results (trucknetuk.com, threads 123738, 168566 and 207033). */
describe('worked examples of the trade', () => {
  it.each([
    ['a break of 45 minutes, whenever it is taken, begins a new driving period', 'D3 R0:45 D4:30 R11', []],
    ['other work does not count as driving', 'D2:30 W1 D2 R0:45 D4:30 R11', []],
    ['15 and then 30 minutes', 'W0:30 D1 R0:15 D2 R0:30 D4:30 R11', []],
    ['30 and then 15 minutes are not a break', 'D1 R0:30 D3:30 R0:15 D4:30 R11', ['B1 540/270 VSI']],
    ['a rest of three hours, then nine', 'D3 R0:45 D2:15 R3 D3 W3 R9 D1 R11', []],
    ['3 h 45, then ten hours', 'D4 R0:45 D3:45 R3:45 D1:15 W0:30 R10 D1 R11', []],
  ] as const)('%s', (_name, activities, expected) => {
    expect(found(plan(MONDAY, activities))).toEqual(expected);
  });

  it('the rest of two weeks without one of 45 hours is insufficient, although there were many', () => {
    // Tuesday 37 hours and Sunday 34; then Tuesday 36, Friday 34 and Sunday 30, or 45 until the afternoon of Monday
    const first = 'R45 D2 R11 D4 W8 R37 (D4 W2 R18)x3 D4 W9 R34';
    const second = 'D4 W8 R36 D4 W2 R18 D4 W10 R34 D4 R9 W5';
    const weekly = (last: string): string[] =>
      found(plan('2026-02-27T20:00', `${first} ${second} ${last} D4 R11`)).filter((each) => each.startsWith('W'));
    expect(weekly('R30')).toEqual(['W2 2220/2700 SI']);
    expect(weekly('R45')).toEqual([]);
  });
});
