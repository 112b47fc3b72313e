import { count } from '../../../platform/setting-types.ts';

export const registrySettings = {
  DEVICES_UNSEEN_PER_TENANT: count
    .default(10_000)
    .describe(
      'registered devices of a tenant that have never sent anything; further ones are not registered, so that nobody reserves the ids of others; must be increased before the import of a larger fleet; 0: no limit',
    ),
};
