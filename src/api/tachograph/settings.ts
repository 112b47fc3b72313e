import type { ApiSettings } from '../deps.ts';

/** Limits of tachograph files, with what holds where the settings say nothing. */
export const limitsOf = (settings: ApiSettings) => ({
  fileBytes: settings.DDD_FILE_BYTES ?? 10 * 1024 ** 2,
  uploadFiles: settings.DDD_UPLOAD_FILES ?? 1_000,
  uploadBytes: settings.DDD_UPLOAD_BYTES ?? 1024 ** 3,
});
export type Limits = ReturnType<typeof limitsOf>;
