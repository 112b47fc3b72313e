import { describe, expect, it } from 'vitest';
import { toRow } from '../../../src/server/ingest/batches/positions/row.ts';

const rowOf = (ignition: boolean | number | string) =>
  toRow({ deviceId: '1', valid: true, attributes: { index: 1, ignition } }, { id: 1, tenantId: 1 } as never, 0);

describe('ignition of a record', () => {
  it.each([
    [true, true],
    [1, true],
    [false, false],
    [0, false],
    [2, undefined],
    [10, undefined],
    [1.5, undefined],
    ['1', undefined],
  ])('%j is read as %j', (said, read) => {
    expect(rowOf(said).ignition).toBe(read);
  });
});
