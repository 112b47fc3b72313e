import { AsyncLocalStorage } from 'node:async_hooks';

const users = new AsyncLocalStorage<string | undefined>();

/** Runs `work` limited to the vehicles of this user: its statements as a tenant, also after an await. */
export const asRestrictedUser = <T>(userId: string, work: () => T): T => users.run(userId, work);

/** Removes the restriction: for shared work that outlives the request that started it. */
export const asWholeTenant = <T>(work: () => T): T =>
  users.getStore() === undefined ? work() : users.run(undefined, work);

/** Id of the user to whose vehicles the caller is limited; undefined: to none. */
export const restrictedUser = (): string | undefined => users.getStore();
