import { AsyncLocalStorage } from 'node:async_hooks';

const users = new AsyncLocalStorage<string | undefined>();

/** Everything that `work` and what it awaits read or write as a tenant is limited to the vehicles of this user. */
export const asRestrictedUser = <T>(userId: string, work: () => T): T => users.run(userId, work);

/** For work that outlives the request that started it, and is done for everybody. */
export const asWholeTenant = <T>(work: () => T): T =>
  users.getStore() === undefined ? work() : users.run(undefined, work);

/** Id of the user to whose vehicles the caller is limited; undefined: to none. */
export const restrictedUser = (): string | undefined => users.getStore();
