import type pg from 'pg';
import { transaction } from '../platform/postgres/index.ts';
import type { RuleType } from '../rules/index.ts';
import { toRule } from './book.ts';
import * as store from './store.ts';
import { type Happening, type Teller, tell } from './tell.ts';

/** Something that another part of the house has found out, and that rules of its type are to tell of. */
export interface Raised {
  readonly tenantId: number;
  readonly type: Extract<RuleType, 'ddd_due' | 'infringement' | 'maintenance'>;
  /** names it within its type: raised again under the same key it is told once */
  readonly key: string;
  /** epoch ms: when it happened */
  readonly at: number;
  /** rules about this vehicle tell of it; null: no vehicle is known, all of the type do, to users who see all */
  readonly vehicleId: string | null;
  /** what people read: one line */
  readonly detail: string;
  /** key of what was raised before and is corrected by this */
  readonly corrects?: string;
}

/** Tells of it by every rule that is about it. Number of messages that were made: 0 where it was told before. */
export type Raise = (raised: Raised) => Promise<number>;

export const raiseBy =
  (pool: pg.Pool, teller: Teller): Raise =>
  (raised) =>
    transaction(pool, async (tx) => {
      const { tenantId, type, vehicleId, at, key, detail, corrects } = raised;
      const rows = await store.readRulesAbout(tx, { tenantId, type, vehicleId });
      const vehicle = vehicleId === null ? undefined : await store.findVehicle(tx, tenantId, vehicleId);
      const happenings = rows.map((row): Happening => {
        // a rule that was changed does not make it happen again
        const rule = { ...toRule(row), version: 0 };
        return {
          watch: {
            ...{ rule, vehicleId, from: at, to: at },
            ...{ deviceId: 0, imei: vehicle?.imei ?? null, targa: vehicle?.targa ?? null },
          },
          occurrence: { kind: 'alarm', key, at, detail, ...(corrects === undefined ? {} : { corrects }) },
        };
      });
      return tell(
        tx,
        teller,
        happenings.filter(({ watch }) => watch.rule.evaluation.manner.isTold(at)),
      );
    });
