import { count } from '../../../platform/setting-types.ts';

/** How long records are kept. */
export const retentionSettings = {
  RETENTION_DAYS: count.default(0).describe('days that positions are kept; 0: forever'),
  RAW_RETENTION_DAYS: count.default(7).describe('days that raw frames are kept; 0: forever'),
  COMMAND_RETENTION_DAYS: count
    .default(365)
    .describe('days that commands and their history are kept after they have ended; 0: forever'),
  DEVICE_FILE_RETENTION_DAYS: count
    .default(0)
    .describe(
      'days that photos, videos, sounds and other files of devices are kept after their last piece; 0: as long as the device; tachograph files are kept for DDD_RETENTION_DAYS',
    ),
};
