import type { Command } from 'commander';
import { loadConfig } from '../apps/config.ts';
import { createLog } from '../platform/log.ts';
import { openDatabase } from '../server/database/index.ts';
import { admitDevice, blockDevice } from '../server/devices/registry/index.ts';
import { noteCommand } from './audited.ts';
import { plainly, withDatabase } from './database.ts';
import { UsageError } from './usage.ts';

const TENANT = 'tenant of the device';

export function register(program: Command): void {
  const devices = program.command('devices').description('block devices that were stolen or are misused');
  devices
    .command('block')
    .description('end the session of a device, and do not admit it until it is unblocked; its records stay')
    .argument('<id>', 'device id, such as its IMEI')
    .option('--note <text>', 'why')
    .option('--tenant <name>', TENANT, 'default')
    .action((imei: string, { note, tenant }: { note?: string; tenant: string }) =>
      plainly(() => change(imei, tenant, { command: 'devices block', note: note ?? null })),
    );
  devices
    .command('unblock')
    .description('admit a device again')
    .argument('<id>', 'device id')
    .option('--tenant <name>', TENANT, 'default')
    .action((imei: string, { tenant }: { tenant: string }) =>
      plainly(() => change(imei, tenant, { command: 'devices unblock' })),
    );
}

async function change(imei: string, tenant: string, what: { command: string; note?: string | null }): Promise<void> {
  const log = createLog('devices', loadConfig().LOG_LEVEL);
  await withDatabase('share', async (url) => {
    const database = await openDatabase({ url, log });
    try {
      const tenantId = await database.tenantId(tenant);
      if (what.note === undefined) await admitDevice(database.app, tenantId, imei);
      else if (!(await blockDevice(database.app, tenantId, imei, what.note))) {
        throw new UsageError(`tenant ${tenant} has no device ${imei}`);
      }
      await noteCommand(database.ingest, { tenantId, command: what.command, object: imei, after: { note: what.note } });
      process.stderr.write(`${imei}: ${what.note === undefined ? 'unblocked' : 'blocked'}\n`);
    } finally {
      await database.close();
    }
  });
}
