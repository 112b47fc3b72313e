import { count } from '../../../platform/setting-types.ts';

/** Settings of share links; part of the schema in config.ts. */
export const shareSettings = {
  SHARE_LINK_DAYS: count
    .min(1)
    .max(400)
    .default(31)
    .describe('longest validity of a share link, and longest interval that it shows, days'),
  SHARE_LINKS_PER_TENANT: count.min(1).default(1_000).describe('maximum number of open share links of a tenant'),
};
