import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import type { App, Cursors } from '../../kernel/http/index.ts';
import { addCsvRoutes, addRecordRoutes, createRecords, csvTableOf, type Records } from '../../kernel/records/index.ts';
import { maintenanceKind } from './plan.ts';
import { addMaintenanceRoutes } from './routes.ts';
import { startPlan } from './store.ts';

export { createMaintenanceAlarms, type MaintenanceAlarms } from './alarms.ts';

/** Maintenance plans, what is due by them, and what was done. */
export async function addMaintenance(
  server: App,
  deps: { readonly app: pg.Pool; readonly clock: Clock; readonly cursors: Cursors },
): Promise<void> {
  const records = createRecords(deps.app, maintenanceKind, deps.cursors);
  const plans: Records = {
    ...records,
    async create(tenantId, fields) {
      const plan = await records.create(tenantId, fields);
      await startPlan(deps.app, tenantId, plan.id);
      return plan;
    },
    async change(tenantId, name, fields, version) {
      const changed = await records.change(tenantId, name, fields, version);
      await startPlan(deps.app, tenantId, changed.after.id);
      return changed;
    },
  };
  await addCsvRoutes(server, csvTableOf(plans));
  addMaintenanceRoutes(server, { ...deps, plans });
  addRecordRoutes(server, plans);
}
