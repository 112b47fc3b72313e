import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { openValue, type Secrets, sealValue } from '../secrets/index.ts';
import * as store from './store.ts';

export interface AuditKey {
  readonly id: string;
  readonly secret: string;
}

/** What a block's MAC covers. Its hash depends on all rows and blocks before it. */
export type SignedFields = Pick<store.BlockRow, 'tenantId' | 'number' | 'rows' | 'hash'>;

export const macOf = ({ secret }: AuditKey, { tenantId, number, rows, hash }: SignedFields): Buffer =>
  createHmac('sha256', secret)
    .update(JSON.stringify([tenantId, number, rows, hash.toString('hex')]))
    .digest();

/** MAC keys of blocks. They are stored encrypted, so that somebody with only the database cannot forge a block. */
export interface AuditKeys {
  /** created at first use */
  current(): Promise<AuditKey>;
  /** False if the block has no MAC, a MAC of an unknown key, or a wrong MAC. */
  isSigned(block: store.BlockRow): Promise<boolean>;
}

export function createAuditKeys(pool: pg.Pool, secrets: Secrets): AuditKeys {
  let keys: readonly AuditKey[] = [];
  const load = async (): Promise<void> => {
    keys = (await store.listAuditKeys(pool)).map(({ id, secret }) => ({
      id,
      secret: openValue(secrets, 'auditKey', id, secret),
    }));
  };
  return {
    async current() {
      if (keys.length === 0) await load();
      if (keys.length === 0) {
        const id = randomBytes(6).toString('hex');
        await store.insertAuditKey(pool, id, sealValue(secrets, 'auditKey', id, randomBytes(32).toString('base64url')));
        await load();
      }
      return keys[0]!;
    },
    async isSigned(block) {
      const find = () => keys.find(({ id }) => id === block.macKey);
      if (find() === undefined) await load();
      const key = find();
      return key !== undefined && block.mac?.length === 32 && timingSafeEqual(block.mac, macOf(key, block));
    },
  };
}
