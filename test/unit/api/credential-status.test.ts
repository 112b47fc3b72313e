import { beforeEach, describe, expect, test } from 'vitest';
import {
  type CredentialStatusCache,
  type CredentialSubjects,
  createCredentialStatusCache,
} from '../../../src/api/auth/tokens/credential-status.ts';
import type { Queryable } from '../../../src/platform/postgres/index.ts';

const HOLDS = {
  role: 'viewer',
  userHolds: true,
  sessionHolds: true,
  keyScopes: null,
  keyHolds: null,
  tenantHolds: true,
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
let row: typeof HOLDS;
let queries: number;
/** what is waited for before the database answers */
let answering: Promise<void>;
let statuses: CredentialStatusCache;
beforeEach(() => {
  now = 1_000_000;
  row = HOLDS;
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
    ['a revoked session', 'ses_1', { sessionHolds: false }],
    ['a user who was switched off', 'usr_1', { userHolds: false }],
    ['a suspended tenant', 'tenant:1', { tenantHolds: false }],
  ])('%s is effective when it is notified', async (_, id, change) => {
    expect(await read()).toEqual(HOLDS);
    row = { ...HOLDS, ...change };
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
    row = { ...HOLDS, sessionHolds: false };
    now += KEPT_MS - 1;
    expect(await read()).toMatchObject({ sessionHolds: true });
    now += 1;
    expect(await read()).toMatchObject({ sessionHolds: false });
  });

  test('is read again when notifications may have been missed', async () => {
    await read();
    row = { ...HOLDS, tenantHolds: false };
    statuses.forgetAll();
    expect(await read()).toMatchObject({ tenantHolds: false });
  });

  test('expires when the session or key expires, without notification', async () => {
    row = { ...HOLDS, endsAt: now + 5_000 };
    expect((await statuses.read(ground())).until).toBe(now + 5_000);
    now += 5_000;
    row = { ...row, sessionHolds: false };
    expect(await read()).toMatchObject({ sessionHolds: false });
  });

  test('of an invalid credential is not cached, since it may become valid', async () => {
    row = { ...HOLDS, userHolds: false };
    await read();
    row = HOLDS;
    expect(await read()).toEqual(HOLDS);
  });

  test('is not cached if a notification arrived while it was read', async () => {
    let answer = (): void => {};
    answering = new Promise((resolve) => {
      answer = resolve;
    });
    const reading = read();
    row = { ...HOLDS, sessionHolds: false };
    statuses.forget('ses_1');
    answer();
    // the database had looked before
    expect(await reading).toMatchObject({ sessionHolds: true });
    expect(await read()).toMatchObject({ sessionHolds: false });
  });
});
