import type pg from 'pg';
import { DAY_MS } from '../../../platform/durations.ts';
import { rulesOf } from '../analysis/index.ts';
import { readDays } from '../analysis/store.ts';
import { correctionsOf } from '../corrections/store.ts';
import type { Residual } from '../engine/rules/index.ts';
import type { Reader } from '../reader/index.ts';
import { termsOfDriver } from '../terms/index.ts';
import { driversKnownSince } from './store.ts';

/** What drivers may still do at a moment (epoch ms); drivers without recent data are not in it. */
export type Residuals = (
  tenantId: number,
  question: { readonly driverId: string | null; readonly at: number },
) => Promise<ReadonlyMap<string, Residual>>;

/** six weeks: two for driving, and what is before for weekly rests and their compensation */
const WEEKS_MS = 42 * DAY_MS;
/** What remains of older data is worse than nothing: somebody would drive by it. */
export const FRESH_MS = DAY_MS;

export function createResiduals(pool: pg.Pool, reader: Reader): Residuals {
  const dateOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);
  return async (tenantId, { driverId, at }) => {
    const found = new Map<string, Residual>();
    for (const id of await driversKnownSince(pool, tenantId, { driverId, day: dateOf(at - FRESH_MS) })) {
      const days = await readDays(pool, tenantId, id, { from: dateOf(at - WEEKS_MS), to: dateOf(at) });
      const question = {
        days,
        corrections: await correctionsOf(pool, tenantId, id),
        identity: { nation: 0, number: id },
        rules: rulesOf(await termsOfDriver(pool, tenantId, id)),
        at: Math.floor(at / 60_000),
      };
      const residual = await reader.ask('residual', question);
      if (residual !== undefined && at - residual.asOf * 60_000 <= FRESH_MS) found.set(id, residual);
    }
    return found;
  };
}
