import { describe, expect, it } from 'vitest';
import { type Residual, residual } from '../../../../src/server/tachograph/engine/index.ts';
import { driver, minute, plan } from './plan.ts';

const MONDAY = '2026-03-02T06:00';
const at = (time: string, text: string, start = MONDAY): Residual =>
  residual(plan(start, text), minute(time), { driver });

describe('residual driving time', () => {
  it('within a day', () => {
    // 06:00 three hours, fifteen minutes of rest, one hour: it is 10:15.
    const left = at('2026-03-02T10:15', 'D3 R0:15 D1 R0:45 D4 R11');
    expect(left).toMatchObject({
      asOf: minute('2026-03-02T10:15'),
      drivableNow: 30,
      continuous: { used: 240, left: 30, nextBreak: 30 },
      daily: { limit: 600, used: 240, left: 360, extensionsLeft: 2 },
      week: { used: 240, left: 3120 },
      fortnight: { used: 240, left: 5160 },
      shift: { startedAt: minute(MONDAY), latestEnd: minute('2026-03-02T21:00'), crew: false },
      dailyRest: { dueAt: minute('2026-03-02T21:00'), minimum: 540, reducedLeft: 3 },
      weeklyRest: { dueAt: minute('2026-03-08T06:00'), minimum: 1440 },
      workingTime: { weekUsed: 240, weekLeft: 3360 },
      // From midnight on the driver may have rested.
      unknownMinutes: 360,
    });
  });

  it('after a whole break, and in one', () => {
    expect(at('2026-03-02T11:15', 'D4:30 R0:45 D4 R11').continuous).toEqual({ used: 0, left: 270, nextBreak: 45 });
    expect(at('2026-03-02T11:14', 'D4:30 R0:45 D4 R11')).toMatchObject({
      continuous: { used: 270, left: 0, nextBreak: 30 },
      drivableNow: 0,
    });
  });

  it('is less where the shift ends before', () => {
    // Thirteen hours of work: until 21:00 a reduced rest can still begin.
    expect(at('2026-03-02T19:00', 'W13 R11')).toMatchObject({ drivableNow: 120, daily: { left: 600 } });
  });

  it('restarts with a rest', () => {
    const text = 'D4:30 R0:45 D4:30 R11 D1 R1';
    // 15:45 the day ends. Nine hours later a reduced rest is over, two hours after that a regular one.
    expect(at('2026-03-03T00:44', text)).toMatchObject({ daily: { used: 540 }, shift: { startedAt: minute(MONDAY) } });
    expect(at('2026-03-03T00:45', text)).toMatchObject({
      daily: { used: 0 },
      shift: null,
      dailyRest: { reducedLeft: 2 },
    });
    expect(at('2026-03-03T02:45', text)).toMatchObject({ shift: null, dailyRest: { dueAt: null, reducedLeft: 3 } });
    expect(at('2026-03-03T03:45', text)).toMatchObject({ daily: { used: 60, left: 540 } });
  });

  it('counts extended days and reduced rests of the week', () => {
    const text = '(D4:30 R0:45 D4:30 R0:45 D1 R9)x3 D1 R1';
    const left = at('2026-03-04T22:30', text);
    expect(left).toMatchObject({
      daily: { limit: 540, extensionsLeft: 0 },
      dailyRest: { reducedLeft: 0, minimum: 660 },
    });
  });

  it('leaves no more of the week than of two', () => {
    const week = '(D4:30 R0:45 D4:30 R14:15)x5 R48';
    // Forty-five hours in the week before, and twenty-seven in this one: 18 are left of ninety, 29 of fifty-six.
    const left = at('2026-03-11T18:00', `${week} (D4:30 R0:45 D4:30 R14:15)x3`);
    expect(left).toMatchObject({ week: { used: 1620, left: 1080 }, fortnight: { used: 4320, left: 1080 } });
  });

  it('reports when a regular weekly rest is due, and the compensation', () => {
    // The rest of 30 hours ends on Saturday at 10:00.
    const left = at('2026-03-09T12:00', '(W4 R20)x4 W4 R30 (W4 R20)x2 W4 R20', '2026-03-02T00:00');
    expect(left.weeklyRest).toEqual({ dueAt: minute('2026-03-13T10:00'), minimum: 2700 });
    expect(left.compensation).toEqual([{ minutes: 900, dueBy: minute('2026-03-30T00:00') }]);
  });

  it('does not count unknown time after the last known activity as rest', () => {
    const left = at('2026-03-03T06:00', 'D4:30 R0:45 D3');
    expect(left).toMatchObject({ asOf: minute('2026-03-02T14:15'), daily: { used: 450 }, drivableNow: 0 });
  });

  it('is known at the last minute of the data, and a range after it', () => {
    const text = 'D3 R1 D1';
    expect(at('2026-03-02T11:00', text)).toMatchObject({ basis: 'known', range: null, drivableNow: 210 });
    expect(at('2026-03-02T12:00', text)).toMatchObject({
      basis: 'unknown',
      range: {
        // an hour of driving, or of rest: that is a break of 45 minutes
        drivableNow: { min: 150, max: 270 },
        daily: { min: 300, max: 360 },
        week: { min: 3060, max: 3120 },
      },
    });
    // after eleven hours of rest a new day may have begun, after eleven hours of driving nothing is left
    expect(at('2026-03-02T22:00', text).range).toMatchObject({
      drivableNow: { min: 0, max: 270 },
      daily: { min: 0, max: 600 },
    });
  });

  it('is assumed after data that end with a rest', () => {
    expect(at('2026-03-02T12:00', 'D3 R1')).toMatchObject({
      basis: 'assumed',
      drivableNow: 270,
      range: { drivableNow: { min: 150, max: 270 } },
    });
  });

  it('of a crew the shift may go on for 21 hours', () => {
    const left = at('2026-03-02T15:00', 'D4:30+ B4:30 D4+ B4');
    expect(left.shift).toEqual({ startedAt: minute(MONDAY), latestEnd: minute('2026-03-03T03:00'), crew: true });
  });
});
