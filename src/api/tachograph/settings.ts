import type { TachographRetention } from './retention/store.ts';

export interface TachographSettings {
  readonly DDD_FILE_BYTES?: number;
  readonly DDD_UPLOAD_FILES?: number;
  readonly DDD_UPLOADS_AT_ONCE?: number;
  readonly DDD_UPLOAD_BYTES?: number;
  readonly DDD_UNPACKED_BYTES?: number;
  readonly DDD_WORKERS?: number;
  /** files with root certificates */
  readonly DDD_ROOTS?: readonly string[];
  readonly DDD_REMOTE_SECONDS?: number;
  readonly DDD_REMOTE_TIMEOUT_MINUTES?: number;
  readonly DDD_REMOTE_RETRY_HOURS?: number;
  readonly DDD_RETENTION_DAYS?: number;
  readonly WORKING_TIME_RETENTION_DAYS?: number;
  readonly PAYROLL_RETENTION_DAYS?: number;
}

/** Limits of tachograph files, with what holds where the settings say nothing. */
export const limitsOf = (settings: TachographSettings) => ({
  fileBytes: settings.DDD_FILE_BYTES ?? 10 * 1024 ** 2,
  uploadFiles: settings.DDD_UPLOAD_FILES ?? 1_000,
  uploadsAtOnce: settings.DDD_UPLOADS_AT_ONCE ?? 4,
  uploadBytes: settings.DDD_UPLOAD_BYTES ?? 1024 ** 3,
  unpackedBytes: settings.DDD_UNPACKED_BYTES ?? 256 * 1024 ** 2,
});
export type Limits = ReturnType<typeof limitsOf>;

/** Times of remote downloads, ms. */
export const remoteTimesOf = (settings: TachographSettings) => ({
  everyMs: (settings.DDD_REMOTE_SECONDS ?? 30) * 1_000,
  timeoutMs: (settings.DDD_REMOTE_TIMEOUT_MINUTES ?? 60) * 60_000,
  retryMs: (settings.DDD_REMOTE_RETRY_HOURS ?? 6) * 3_600_000,
});

/** Driver cards' files by law a year at least, records of working time two, payroll five. */
export const retentionOf = (settings: TachographSettings): TachographRetention => ({
  fileDays: settings.DDD_RETENTION_DAYS ?? 730,
  workingTimeDays: settings.WORKING_TIME_RETENTION_DAYS ?? 730,
  payrollDays: settings.PAYROLL_RETENTION_DAYS ?? 1_826,
});
