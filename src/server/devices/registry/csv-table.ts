import { tenantOf } from '../../kernel/http/index.ts';
import { type CsvTable, readCells, requireValid, unlessUnknown } from '../../kernel/records/index.ts';
import { deviceChange, registration } from './schema.ts';
import type { DeviceService } from './service.ts';

const CELLS = { imei: 'text', name: 'text', options: 'json' } as const;
const PAGE = 500;

export function deviceCsvTable(devices: DeviceService): CsvTable {
  return {
    plural: 'devices',
    read: 'devices:read',
    write: 'devices:write',
    fields: Object.keys(CELLS),
    example: 'imei,name\r\n356307042441014,Daily\r\n',
    sameBy: 'its imei',
    dependsOn: ['imei'],
    errors: ['too-many-unseen-devices'],
    requireRoom: (request, lines) =>
      devices.requireRoom(
        tenantOf(request),
        // lines without a device id are rejected one by one
        lines.flatMap(({ imei }) => (registration.shape.imei.safeParse(imei).success ? [imei!] : [])),
      ),
    page: (request, cursor) => devices.list(tenantOf(request), { limit: PAGE, cursor }),
    async importRow(request, line) {
      const tenantId = tenantOf(request);
      const { options, ...rest } = readCells(line, CELLS);
      const fields = { ...rest, ...(options === undefined ? {} : { options: options ?? {} }) };
      const { imei } = requireValid(registration, fields);
      const known = await unlessUnknown(() => devices.find(tenantId, imei));
      if (known === undefined) {
        await devices.register(tenantId, requireValid(registration, fields));
        return { id: imei, outcome: 'created' };
      }
      await devices.change(tenantId, imei, requireValid(deviceChange, fields));
      return { id: imei, outcome: 'updated' };
    },
  };
}
