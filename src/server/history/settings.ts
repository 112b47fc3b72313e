import { z } from 'zod';

const count = z.coerce.number().int().min(0);

/** Positions of past days in files (docs/history.md); part of the schema in config.ts. */
export const historySettings = {
  HOT_DAYS: count
    .default(14)
    .describe('days after which positions are moved from the database to Parquet files; 0: never'),
  NARROW_AFTER_DAYS: count
    .default(1)
    .describe(
      'days after which positions become narrow rows, which take less than half of the space; without HISTORY_URL once their month is over; 0: never',
    ),
  NARROW_FORMS: count
    .default(10_000)
    .describe('lists of names of attributes that are kept for the narrow rows of a tenant; other rows keep the names'),
  HISTORY_URL: z
    .string()
    .min(1)
    .refine(
      (text) =>
        !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^(file:\/\/|s3:\/\/[a-z0-9][a-z0-9.-]+(\/[^?#@]*)?$)/.test(text),
      'must be a folder or s3://bucket/prefix',
    )
    .optional()
    .describe(
      'folder of these files, the same for every API process, or `s3://bucket/prefix` (DATA_DIR/history); with DATABASE_URL positions are moved only if it is set',
    ),
  RAW_HISTORY: z
    .enum(['true', 'false', '1', '0', 'on', 'off', 'yes', 'no'])
    .default('false')
    .transform((v) => /^(true|1|on|yes)$/.test(v))
    .describe(
      'move raw frames to Parquet files after RAW_RETENTION_DAYS instead of removing them, so that they can be decoded again after years',
    ),
  HISTORY_MEMORY_MB: count.min(128).default(512).describe('memory for reading and writing these files, MB'),
  HISTORY_THREADS: count.min(1).max(64).default(2).describe('threads that read and write these files'),
  HISTORY_PARTS_AT_ONCE: count
    .min(1)
    .max(16)
    .default(3)
    .describe(
      'files that are written at the same time, each with a connection to the database; in the background, with pauses, one after the other',
    ),
  HISTORY_SHARE: count
    .min(1)
    .max(100)
    .default(25)
    .describe(
      'part of the time in which positions and frames are moved to files in the background, %; the rest are pauses, so that requests are not slowed down',
    ),
  HISTORY_COMPRESSION: count
    .min(1)
    .max(22)
    .default(5)
    .describe('level of the compression of these files (zstd); higher ones take more time and save little'),
  HISTORY_CACHE_MB: count
    .default(1_024)
    .describe('parts of files of an S3 store that are kept in DATA_DIR after they have been read, MB'),
  HISTORY_S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of the S3 store, for stores other than that of Amazon'),
  HISTORY_S3_PATH_STYLE: z
    .enum(['true', 'false', '1', '0', 'on', 'off', 'yes', 'no'])
    .transform((v) => /^(true|1|on|yes)$/.test(v))
    .optional()
    .describe('name the bucket in the path of URLs instead of the host name; on by default with HISTORY_S3_ENDPOINT'),
  HISTORY_S3_TIMEOUT_S: count.min(1).default(30).describe('longest time to wait for bytes of the S3 store, s'),
  AWS_REGION: z.string().optional().describe('region of the S3 store; with HISTORY_S3_ENDPOINT us-east-1 by default'),
  AWS_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe('access key of the S3 store; without it the credentials of the machine, the pod or the user are used'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('secret of AWS_ACCESS_KEY_ID'),
  AWS_SESSION_TOKEN: z.string().optional().describe('session of temporary credentials'),
};

export function historyProblems(settings: Partial<HistoryConfig>): string[] {
  const hasOneKey = (settings.AWS_ACCESS_KEY_ID === undefined) !== (settings.AWS_SECRET_ACCESS_KEY === undefined);
  return hasOneKey ? ['AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: must be set together'] : [];
}

export interface HistoryConfig {
  readonly HOT_DAYS: number;
  readonly NARROW_AFTER_DAYS: number;
  readonly NARROW_FORMS: number;
  readonly HISTORY_URL?: string | undefined;
  readonly RAW_HISTORY: boolean;
  readonly RAW_RETENTION_DAYS: number;
  readonly HISTORY_MEMORY_MB: number;
  readonly HISTORY_CACHE_MB: number;
  readonly HISTORY_THREADS: number;
  readonly HISTORY_PARTS_AT_ONCE: number;
  readonly HISTORY_SHARE: number;
  readonly HISTORY_COMPRESSION: number;
  readonly HISTORY_S3_ENDPOINT?: string | undefined;
  readonly HISTORY_S3_PATH_STYLE?: boolean | undefined;
  readonly HISTORY_S3_TIMEOUT_S: number;
  readonly AWS_REGION?: string | undefined;
  readonly AWS_ACCESS_KEY_ID?: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined;
  readonly AWS_SESSION_TOKEN?: string | undefined;
  readonly DATA_DIR: string;
}
