import { z } from 'zod';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { count, list } from '../../platform/setting-types.ts';
import type { TachographRetention } from './retention/store.ts';

/** Limits and retention periods of tachograph data; part of the schema in config.ts. */
export const tachographSettings = {
  DDD_ROOTS: list.describe(
    'files with the root certificates for tachograph signatures, comma-separated; without them no signature can be verified',
  ),
  DDD_FILE_BYTES: count
    .min(1_024)
    .max(104_857_600)
    .default(10 * 1024 ** 2)
    .describe('maximum size of a tachograph file, bytes'),
  DDD_UPLOAD_FILES: count.min(1).default(1_000).describe('maximum number of tachograph files per upload'),
  DDD_UPLOADS_AT_ONCE: count
    .min(1)
    .default(4)
    .describe('uploads of tachograph files in the background at the same time; further ones are refused'),
  DDD_UPLOAD_BYTES: count
    .min(1_048_576)
    .default(1024 ** 3)
    .describe('maximum total size of the tachograph files of an upload, bytes'),
  DDD_UNPACKED_BYTES: count
    .min(1_048_576)
    .max(1024 ** 3)
    .default(256 * 1024 ** 2)
    .describe('maximum total size of the files in a ZIP that is uploaded as a tachograph file, bytes'),
  DDD_WORKERS: count.min(1).max(64).default(1).describe('number of threads that read and analyze tachograph files'),
  DDD_REMOTE_SECONDS: count
    .min(1)
    .max(3_600)
    .default(30)
    .describe('pause between two searches for remote downloads that are due and for files of devices, seconds'),
  DDD_REMOTE_TIMEOUT_MINUTES: count
    .min(1)
    .max(1_440)
    .default(60)
    .describe('maximum time between the request of a tachograph file from a device and the file, minutes'),
  DDD_REMOTE_RETRY_HOURS: count
    .min(1)
    .max(168)
    .default(6)
    .describe('hours after which a failed remote download is requested again'),
  DDD_RETENTION_DAYS: count
    .refine((days) => days === 0 || days >= 365, 'must be 365 or more, or 0 (forever)')
    .default(730)
    .describe('days that tachograph files are kept after their upload; 365 or more, 0: forever'),
  WORKING_TIME_RETENTION_DAYS: count
    .refine((days) => days === 0 || days >= 730, 'must be 730 or more, or 0 (forever)')
    .default(730)
    .describe('days that the activities and infringements of drivers are kept; 730 or more, 0: forever'),
  PAYROLL_RETENTION_DAYS: count
    .refine((days) => days === 0 || days >= 1_826, 'must be 1826 or more, or 0 (forever)')
    .default(1_826)
    .describe('days that payroll days of drivers are kept; 1826 or more, 0: forever'),
};

const shape = z.object(tachographSettings);
export type TachographSettings = Readonly<z.output<typeof shape>>;

/** Limits of tachograph files. */
export const limitsOf = (settings: TachographSettings) => ({
  fileBytes: settings.DDD_FILE_BYTES,
  uploadFiles: settings.DDD_UPLOAD_FILES,
  uploadsAtOnce: settings.DDD_UPLOADS_AT_ONCE,
  uploadBytes: settings.DDD_UPLOAD_BYTES,
  unpackedBytes: settings.DDD_UNPACKED_BYTES,
});
export type Limits = ReturnType<typeof limitsOf>;

/** Times of remote downloads, ms. */
export const remoteTimesOf = (settings: TachographSettings) => ({
  everyMs: 1_000 * settings.DDD_REMOTE_SECONDS,
  timeoutMs: MINUTE_MS * settings.DDD_REMOTE_TIMEOUT_MINUTES,
  retryMs: HOUR_MS * settings.DDD_REMOTE_RETRY_HOURS,
});

/** By law files of driver cards are kept for at least a year, records of working time for two, payroll for five. */
export const retentionOf = (settings: TachographSettings): TachographRetention => ({
  fileDays: settings.DDD_RETENTION_DAYS,
  workingTimeDays: settings.WORKING_TIME_RETENTION_DAYS,
  payrollDays: settings.PAYROLL_RETENTION_DAYS,
});
