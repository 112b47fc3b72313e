import { expect, test } from 'vitest';
import { checkVehicleDays } from '../../../../src/server/movement/api/interval.ts';

const DAY = 86_400_000;

test.each<[number, number, boolean]>([
  [1, 366, true],
  [50, 366, true],
  [51, 366, false],
  [200, 92, true],
  [200, 93, false],
])('%i vehicles over %i days: allowed: %s', (vehicles, days, isAllowed) => {
  const check = (): void => checkVehicleDays({ from: 0, to: days * DAY }, vehicles);
  if (isAllowed) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: 'interval-too-long' }));
});
