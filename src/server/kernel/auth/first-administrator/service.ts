import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Log } from '../../../../platform/log.ts';
import type { Listener } from '../../../database/index.ts';
import { hashPassword, passwordFits } from '../passwords.ts';
import * as store from './store.ts';

/** notification channel: the first password was replaced or its account removed */
const REPLACED = 'fleetgate_first_password';

/** Creates the first administrator, once per installation: a removed or renamed one is not created again. */
export async function ensureAdmin(pool: pg.Pool, tenantId: number, password: string): Promise<void> {
  if ((await store.readFirstAdministrator(pool)) !== undefined) return;
  const passwordHash = await hashPassword(password);
  await store.insertFirstAdministrator(pool, { id: `usr_${randomBytes(9).toString('hex')}`, tenantId, passwordHash });
}

export interface FirstPasswordFile {
  /** undefined if erased */
  read(): string | undefined;
  erase(): void;
}

/**
 * Erases the first password from the disk as soon as it is no longer valid, also if it became so while the server was
 * stopped.
 */
export async function watchFirstPassword(
  file: FirstPasswordFile,
  { pool, listener, log }: { pool: pg.Pool; listener: Listener; log: Log },
): Promise<void> {
  const check = async (): Promise<void> => {
    const password = file.read();
    if (password === undefined) return;
    const first = await store.readFirstAdministrator(pool);
    if (first === undefined) return;
    if (!first.isReplaced && (await passwordFits(password, first.passwordHash))) return;
    file.erase();
    log.info('the first password was replaced; its copy in DATA_DIR is erased');
  };
  const report = (error: Error): void => log.error({ err: error }, 'the copy of the first password is not erased');
  const recheck = (): void => void check().catch(report);
  listener.on(REPLACED, recheck);
  listener.onGap(recheck);
  await check();
}
