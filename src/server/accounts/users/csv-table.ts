import { principalOf, tenantOf } from '../../kernel/http/index.ts';
import { type CsvTable, readCells, requireValid, unlessUnknown } from '../../kernel/records/index.ts';
import { newUser, userChange } from './schema.ts';
import type { Users } from './service.ts';

const CELLS = {
  username: 'text',
  name: 'text',
  email: 'text',
  role: 'text',
  active: 'boolean',
  allVehicles: 'boolean',
  targhe: 'json',
  locale: 'text',
  timezone: 'text',
} as const;
const PAGE = 500;

/** Users without passwords: new users set one by password recovery. */
export function userCsvTable(users: Users): CsvTable {
  return {
    plural: 'users',
    read: 'users:read',
    write: 'users:write',
    fields: ['id', ...Object.keys(CELLS)],
    example: 'username,name,role\r\nmario,Mario Bianchi,viewer\r\n',
    sameBy: 'its id or username',
    dependsOn: ['id', 'username'],
    page: (request, cursor) => users.list(tenantOf(request), { limit: PAGE, cursor }),
    async importRow(request, line) {
      const by = principalOf(request);
      const name = line['username'];
      const known = line['id']
        ? await users.find(by, line['id'])
        : name
          ? await unlessUnknown(() => users.find(by, name))
          : undefined;
      // empty cells of fields that are not nullable are set to the default
      const cells = Object.entries(readCells(line, CELLS));
      const fields = Object.fromEntries(cells.filter(([field, value]) => value !== null || CLEARED.has(field)));
      if (known === undefined) {
        return { id: (await users.create(by, requireValid(newUser, fields))).user.id, outcome: 'created' };
      }
      await users.change(by, known.user.id, requireValid(userChange, fields), undefined);
      return { id: known.user.id, outcome: 'updated' };
    },
  };
}

/** fields that an empty cell clears */
const CLEARED = new Set(['name', 'email', 'timezone']);
