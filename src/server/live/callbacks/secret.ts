import type pg from 'pg';
import { openValue, type Secrets, sealValue } from '../../kernel/secrets/index.ts';
import { newSecret } from './signature.ts';
import * as store from './store.ts';

/** The secret that a tenant's requests are signed with. */
export interface SigningSecrets {
  /** Made if there is none yet. */
  read(tenantId: number): Promise<string>;
  replace(tenantId: number): Promise<string>;
}

export function createSigningSecrets(app: pg.Pool, secrets: Secrets): SigningSecrets {
  const seal = (tenantId: number, secret: string): string => sealValue(secrets, 'webhookSecret', tenantId, secret);
  return {
    async read(tenantId) {
      const sealed = await store.readSecret(app, tenantId, seal(tenantId, newSecret()));
      return openValue(secrets, 'webhookSecret', tenantId, sealed);
    },
    async replace(tenantId) {
      const secret = newSecret();
      await store.replaceSecret(app, tenantId, seal(tenantId, secret));
      return secret;
    },
  };
}
