import { expect, it } from 'vitest';
import { parseTachograph, verifyTachograph } from '../../../src/server/tachograph/engine/index.ts';
import type { VehicleUnitFile } from '../../../src/server/tachograph/engine/records.ts';
import { factsOf } from '../../../src/server/tachograph/engine/reports/file-facts.ts';
import { unitReportOf } from '../../../src/server/tachograph/engine/reports/unit-report.ts';
import { secondsOf, unitFile } from '../../support/tachograph.ts';

it('an event that a unit keeps for several purposes is one', () => {
  const event = {
    type: 0x11,
    begin: secondsOf('2026-03-02T07:00:00Z'),
    end: secondsOf('2026-03-02T07:05:00Z'),
    driverBegin: null,
    coDriverBegin: null,
    driverEnd: null,
    coDriverEnd: null,
  };
  const bytes = unitFile({
    plate: 'AB123CD',
    now: '2026-03-03T20:00:00Z',
    events: [
      { ...event, purpose: 0, similarEvents: 1 },
      { ...event, purpose: 2, similarEvents: 3 },
    ],
  });
  const unit = parseTachograph(bytes) as VehicleUnitFile;
  expect(unit.events).toHaveLength(2);
  expect(unitReportOf(unit).events).toMatchObject([{ kind: 'event', code: 0x11, similar: 3 }]);
  expect(factsOf(unit, verifyTachograph(bytes, [])).events).toHaveLength(1);
});
