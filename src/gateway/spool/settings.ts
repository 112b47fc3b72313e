import { count } from '../../platform/setting-types.ts';

/** Limits of the spool; part of the schema in config.ts. */
export const spoolSettings = {
  SPOOL_SYNC_MS: count.max(1000).default(5).describe('maximum time before a group of records is synced to disk, ms'),
  SPOOL_MAX_BYTES: count
    .min(1_048_576)
    .default(4 * 1024 ** 3)
    .describe('maximum size of the spool, bytes'),
  SPOOL_MIN_FREE_BYTES: count.default(256 * 1024 ** 2).describe('disk space that the spool leaves free, bytes'),
  SET_ASIDE_MAX_BYTES: count
    .min(64 * 1024 ** 2)
    .default(1024 ** 3)
    .describe(
      'maximum size of the set-aside records of one target, bytes; at the limit nothing more is sent to the target until some of them are deleted or the limit is raised. They count towards SPOOL_MAX_BYTES',
    ),
  SET_ASIDE_LISTED: count
    .max(5_000)
    .default(500)
    .describe('set-aside records that a gateway reports to the API, the newest; all are counted'),
};
