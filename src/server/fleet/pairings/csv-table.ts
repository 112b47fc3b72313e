import type { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { tenantOf } from '../../kernel/http/index.ts';
import { type CsvTable, readCells, requireValid } from '../../kernel/records/index.ts';
import { normaliseTarga } from '../records/index.ts';
import { begin } from './schema.ts';
import type { Pairing, Pairings } from './service.ts';

const CELLS = { targa: 'text', imei: 'text', driverId: 'text', source: 'text', from: 'text', to: 'text' } as const;
const PAGE = 500;

/** Pairings. A line of an existing pairing can only set its end. */
export function pairingCsvTable(pairings: Pairings): CsvTable {
  return {
    plural: 'pairings',
    read: 'vehicles:read',
    write: 'vehicles:write',
    fields: ['id', ...Object.keys(CELLS)],
    example: 'targa,driverId,from,to\r\nAB123CD,drv_0a1b2c3d4e5f6a7b8c,2026-05-01T00:00:00Z,2026-05-02T00:00:00Z\r\n',
    sameBy: 'its id, or vehicle, device or driver, and beginning',
    dependsOn: ['id', 'targa', 'imei', 'driverId'],
    page: (request, cursor) => pairings.list(tenantOf(request), { limit: PAGE, cursor }),
    async importRow(request, line) {
      const tenantId = tenantOf(request);
      const cells = Object.entries(readCells(line, CELLS)).filter(([, value]) => value !== null);
      const wanted = requireValid(begin, Object.fromEntries(cells));
      const known = line['id']
        ? await pairings.find(tenantId, line['id'])
        : await findSame(tenantId, { ...wanted, targa: normaliseTarga(wanted.targa) });
      if (known === undefined) return { id: (await pairings.begin(tenantId, wanted)).id, outcome: 'created' };
      const { to } = wanted;
      if (to === undefined || Date.parse(known.to ?? '') === to) return { id: known.id, outcome: 'unchanged' };
      if (known.to !== null) throw new AppError('conflict', 'The pairing has ended at another time');
      return { id: (await pairings.end(tenantId, known.id, to)).id, outcome: 'updated' };
    },
  };

  async function findSame(
    tenantId: number,
    { targa, imei, driverId, from }: z.output<typeof begin>,
  ): Promise<Pairing | undefined> {
    if (from === undefined) return undefined;
    const query = { targa, imei, driverId, from, to: from, limit: 10 };
    const { items } = await pairings.list(tenantId, query);
    return items.find((item) => Date.parse(item.from) === from);
  }
}
