import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../apps/config.ts';
import { createLog } from '../platform/log.ts';
import { openDatabase } from '../server/database/index.ts';
import { openSecrets } from '../server/kernel/secrets/index.ts';
import { plainly, withDatabase } from './database.ts';
import { UsageError } from './usage.ts';

/** Imported on demand: other commands should not load the web server. */
const loadApi = () => import('../server/index.ts');

export function register(program: Command): void {
  const audit = program.command('audit').description('check the audit trail');
  audit
    .command('verify')
    .description('compare the audit trail with its chain, its MACs and the anchors outside of the database')
    .option('--anchor <file>', 'file with anchors (default: AUDIT_ANCHOR, or DATA_DIR/audit-anchor.jsonl)')
    .action(({ anchor }: { anchor?: string }) => plainly(() => verify(anchor)));
}

async function verify(given: string | undefined): Promise<void> {
  const { readAnchorFile, verifyAudit } = await loadApi();
  const config = loadConfig();
  const path = given ?? config.AUDIT_ANCHOR ?? join(config.DATA_DIR, 'audit-anchor.jsonl');
  if (given !== undefined && !existsSync(given)) throw new UsageError(`${given} does not exist`);
  // read before the rows: later anchors can refer to later rows
  const anchors = readAnchorFile(path);
  await withDatabase('share', async (url) => {
    const database = await openDatabase({ url, log: createLog('audit', 'fatal') });
    try {
      for (const { tenantId, blocks, problems, unsigned } of await verifyAudit(
        database.ingest,
        openSecrets(config),
        anchors,
      )) {
        const state = problems.length === 0 ? 'intact' : problems.join('; ');
        const rest = unsigned === 0 ? '' : `; the last ${unsigned} have no MAC yet`;
        process.stdout.write(`tenant ${tenantId}: ${blocks} blocks, ${state}${rest}\n`);
        if (problems.length > 0) process.exitCode = 1;
      }
    } finally {
      await database.close();
    }
  });
  if (anchors.length === 0) process.stderr.write(`${path} has no anchors: rows missing at the end do not show\n`);
}
