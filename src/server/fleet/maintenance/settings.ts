import { count } from '../../../platform/setting-types.ts';

/** Settings of maintenance plans; part of the schema in config.ts. */
export const maintenanceSettings = {
  MAINTENANCE_SECONDS: count.min(10).default(300).describe('seconds between two looks for maintenance that is due'),
};
