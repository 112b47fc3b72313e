import { z } from 'zod';

const count = z.coerce.number().int().min(0);

/** Positions of past days in files (docs/history.md); part of the schema in config.ts. */
export const historySettings = {
  HOT_DAYS: count
    .default(14)
    .describe('days after which positions are moved from the database to Parquet files; 0: never'),
  HISTORY_URL: z
    .string()
    .min(1)
    .refine((text) => !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || text.startsWith('file://'), 'must be a folder')
    .optional()
    .describe(
      'folder of these files, the same for every API process (DATA_DIR/history); with DATABASE_URL positions are moved only if it is set',
    ),
  HISTORY_MEMORY_MB: count.min(128).default(512).describe('memory for reading and writing these files, MB'),
};

export interface HistoryConfig {
  readonly HOT_DAYS: number;
  readonly HISTORY_URL?: string | undefined;
  readonly HISTORY_MEMORY_MB: number;
  readonly DATA_DIR: string;
}
