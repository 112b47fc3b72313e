import type pg from 'pg';
import { transaction } from '../../database/index.ts';
import type { RuleType } from '../rules/index.ts';
import { type Detection, type Notifier, notify } from './notify.ts';
import { toRule } from './rule-index.ts';
import * as store from './store.ts';

/** Something that another part of the server has found out and that rules of its type report. */
export interface Finding {
  readonly tenantId: number;
  readonly type: Extract<
    RuleType,
    'ddd_due' | 'infringement' | 'maintenance' | 'maintenance_due' | 'driver_changed' | 'driver_unknown'
  >;
  /** identifies it within its type: a finding with a key that was used before notifies nobody */
  readonly key: string;
  /** epoch ms: when it happened */
  readonly at: number;
  /** rules about this vehicle apply; null: no vehicle is known, all rules of the type apply, for users who see all vehicles */
  readonly vehicleId: string | null;
  /** one line of the notification's text */
  readonly detail: string;
  /** key of an earlier finding that this one corrects */
  readonly corrects?: string;
}

/** Notifies the users of every rule that applies. Returns the number of notifications created: 0 if the key was used before. */
export type NotifyFinding = (finding: Finding) => Promise<number>;

export const createFindingNotifier =
  (pool: pg.Pool, notifier: Notifier): NotifyFinding =>
  (finding) =>
    transaction(pool, async (tx) => {
      const { tenantId, type, vehicleId, at, key, detail, corrects } = finding;
      const rows = await store.readRulesAbout(tx, { tenantId, type, vehicleId });
      const vehicle = vehicleId === null ? undefined : await store.findVehicle(tx, tenantId, vehicleId);
      const detections = rows.map((row): Detection => {
        // ids do not depend on the rule's version: a changed rule does not repeat a finding
        const rule = { ...toRule(row), version: 0 };
        return {
          watch: {
            rule,
            vehicleId,
            from: at,
            to: at,
            deviceId: 0,
            imei: vehicle?.imei ?? null,
            targa: vehicle?.targa ?? null,
            tank: null,
          },
          event: { kind: 'alarm', key, at, detail, ...(corrects === undefined ? {} : { corrects }) },
        };
      });
      return notify(
        tx,
        notifier,
        detections.filter(({ watch }) => watch.rule.evaluation.notifiesAt(at)),
      );
    });
