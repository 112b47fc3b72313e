import { beforeEach, describe, expect, test } from 'vitest';
import type { Queryable } from '../../../src/server/database/index.ts';
import {
  type CredentialStatusCache,
  type CredentialSubjects,
  createCredentialStatusCache,
} from '../../../src/server/kernel/auth/tokens/credential-status.ts';

const ACTIVE = {
  role: 'viewer',
  isUserActive: true,
  isSessionActive: true,
  keyScopes: null,
  isKeyActive: null,
  isTenantActive: true,
  endsAt: null as number | null,
};
const KEPT_MS = 30_000;
const ground = (over: Partial<CredentialSubjects> = {}): CredentialSubjects => ({
  tenantId: 1,
  userId: 'usr_1',
  sessionId: 'ses_1',
  keyId: null,
  ...over,
});

let now: number;
let row: typeof ACTIVE;
let queries: number;
/** what is waited for before the database answers */
let answering: Promise<void>;
let statuses: CredentialStatusCache;
beforeEach(() => {
  now = 1_000_000;
  row = ACTIVE;
  queries = 0;
  answering = Promise.resolve();
  const db = {
    query: async () => {
      queries++;
      const rows = [row];
      await answering;
      return { rows };
    },
  } as unknown as Queryable;
  statuses = createCredentialStatusCache(db, { now: () => now, monotonic: () => now });
});

const read = async (on = ground()) => (await statuses.read(on)).status;

describe('the status of credentials', () => {
  test('is read once for all tokens of a credential', async () => {
    await read();
    await read();
    expect(queries).toBe(1);
    for (const other of [ground({ tenantId: 2 }), ground({ userId: 'usr_2' }), ground({ sessionId: 'ses_2' })]) {
      await read(other);
    }
    expect(queries).toBe(4);
  });

  test.each([
    ['a revoked session', 'ses_1', { isSessionActive: false }],
    ['a user who was switched off', 'usr_1', { isUserActive: false }],
    ['a suspended tenant', 'tenant:1', { isTenantActive: false }],
  ])('%s is effective when it is notified', async (_, id, change) => {
    expect(await read()).toEqual(ACTIVE);
    row = { ...ACTIVE, ...change };
    statuses.forget(id);
    expect(await read()).toMatchObject(change);
  });

  test('of others stays cached when one is removed', async () => {
    const other = ground({ tenantId: 2, userId: 'usr_2', sessionId: 'ses_2' });
    await read();
    await read(other);
    statuses.forget('ses_1');
    await read(other);
    expect(queries).toBe(2);
    await read();
    expect(queries).toBe(3);
  });

  test('is read again after 30 s if a notification is lost', async () => {
    await read();
    row = { ...ACTIVE, isSessionActive: false };
    now += KEPT_MS - 1;
    expect(await read()).toMatchObject({ isSessionActive: true });
    now += 1;
    expect(await read()).toMatchObject({ isSessionActive: false });
  });

  test('is read again when notifications may have been missed', async () => {
    await read();
    row = { ...ACTIVE, isTenantActive: false };
    statuses.forgetAll();
    expect(await read()).toMatchObject({ isTenantActive: false });
  });

  test('expires when the session or key expires, without notification', async () => {
    row = { ...ACTIVE, endsAt: now + 5_000 };
    expect((await statuses.read(ground())).until).toBe(now + 5_000);
    now += 5_000;
    row = { ...row, isSessionActive: false };
    expect(await read()).toMatchObject({ isSessionActive: false });
  });

  test('of an invalid credential is not cached, since it may become valid', async () => {
    row = { ...ACTIVE, isUserActive: false };
    await read();
    row = ACTIVE;
    expect(await read()).toEqual(ACTIVE);
  });

  test('is not cached if a notification arrived while it was read', async () => {
    let answer = (): void => {};
    answering = new Promise((resolve) => {
      answer = resolve;
    });
    const reading = read();
    row = { ...ACTIVE, isSessionActive: false };
    statuses.forget('ses_1');
    answer();
    // the database had looked before
    expect(await reading).toMatchObject({ isSessionActive: true });
    expect(await read()).toMatchObject({ isSessionActive: false });
  });
});
