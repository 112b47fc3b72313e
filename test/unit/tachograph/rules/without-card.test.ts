import { expect, it } from 'vitest';
import { parseTachograph, withoutCardOf } from '../../../../src/server/tachograph/engine/index.ts';
import type { VehicleUnitFile } from '../../../../src/server/tachograph/engine/records.ts';
import { ITALY, secondsOf, unitFile } from '../../../support/tachograph.ts';
import { analysed, minute, plan } from './plan.ts';

const DRIVER = { nation: ITALY, number: 'I0000000123456' };
const card = { type: 1, nation: ITALY, number: 'I000000012345600' };
const nobody = { driverBegin: null, coDriverBegin: null, driverEnd: null, coDriverEnd: null };
const event = (type: number, begin: string, end: string, slots: Partial<Record<keyof typeof nobody, typeof card>>) => ({
  type,
  purpose: 0,
  begin: secondsOf(begin),
  end: secondsOf(end),
  ...nobody,
  similarEvents: 0,
  ...slots,
});

const unit = unitFile({
  plate: 'AB 123 CD',
  now: '2026-03-03T10:00:00Z',
  events: [
    event(4, '2026-03-02T12:00:00Z', '2026-03-02T12:30:00Z', { driverEnd: card }),
    event(4, '2026-03-02T14:00:00Z', '2026-03-02T14:30:00Z', {}),
    event(4, '2026-03-02T15:00:00Z', '2026-03-02T15:30:00Z', { driverEnd: { ...card, number: 'I999999999999900' } }),
    event(8, '2026-03-02T16:00:00Z', '2026-03-02T16:30:00Z', { driverBegin: card }),
  ],
});
const file = parseTachograph(unit) as VehicleUnitFile;

it('driving without a card is reported once, for the driver whose card was inserted next', () => {
  const twice = ['first', 'second'].map((fileId) => ({ fileId, file }));
  const withoutCard = withoutCardOf(twice, [DRIVER]);
  expect(withoutCard).toEqual([{ from: minute('2026-03-02T12:00'), to: minute('2026-03-02T12:30'), fileId: 'first' }]);
  const { notices } = analysed(plan('2026-03-02T06:00', 'W2 R11'), { withoutCard });
  expect(notices).toMatchObject([{ kind: 'driving-without-card', rule: 'T1', minutes: 30, fileIds: ['first'] }]);
});
