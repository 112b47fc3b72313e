import { tenantOf } from '../http/access.ts';
import { demandValid, readCells, type Sheet, unlessUnknown } from '../records/sheet.ts';
import { deviceChange, registration } from './schema.ts';
import type { DeviceService } from './service.ts';

const CELLS = { imei: 'text', name: 'text', options: 'json' } as const;
const PAGE = 500;

export function sheetOfDevices(devices: DeviceService): Sheet {
  return {
    plural: 'devices',
    read: 'devices:read',
    write: 'devices:write',
    fields: Object.keys(CELLS),
    sameBy: 'its imei',
    page: (request, cursor) => devices.list(tenantOf(request), { limit: PAGE, cursor }),
    async enter(request, line) {
      const tenantId = tenantOf(request);
      const { options, ...rest } = readCells(line, CELLS);
      const fields = { ...rest, ...(options === undefined ? {} : { options: options ?? {} }) };
      const { imei } = demandValid(registration, fields);
      const known = await unlessUnknown(() => devices.find(tenantId, imei));
      if (known === undefined) {
        await devices.register(tenantId, demandValid(registration, fields));
        return { id: imei, outcome: 'created' };
      }
      await devices.change(tenantId, imei, demandValid(deviceChange, fields));
      return { id: imei, outcome: 'updated' };
    },
  };
}
