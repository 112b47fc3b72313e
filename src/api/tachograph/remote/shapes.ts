import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { toInstantOrNull } from '../../http/index.ts';
import type { ScheduleRow } from './store.ts';

/** The newest request of a remote download. */
export const remoteState = {
  state: z
    .enum(['waiting', 'requested', 'received', 'failed'])
    .describe(
      'waiting: nothing has been requested yet; received: a whole file has come, whether it was requested or not',
    ),
  requestedAt: instant.nullable(),
  endedAt: instant.nullable(),
  imei: z.string().nullable().describe('device that the request was sent to'),
  commandId: z.string().nullable(),
  error: z
    .string()
    .nullable()
    .describe(
      'no-device, no-file, incomplete-file (cut or damaged: it is kept and does not count), state of a command that failed, ' +
        'or the code of the error with which the command or the file was rejected',
    ),
  fileId: z.string().nullable().describe('in the archive; null where there is none, or none any longer'),
};

/** In the lists of drivers and vehicles; null without a schedule. */
export const remoteOf = z
  .object({ id: z.string(), everyDays: z.number().int(), ...remoteState })
  .nullable()
  .describe('schedule of remote downloads and its newest request');

export const presentRemote = (row: ScheduleRow) => ({
  everyDays: row.everyDays,
  state: row.state,
  requestedAt: toInstantOrNull(row.requestedAt),
  endedAt: toInstantOrNull(row.endedAt),
  imei: row.imei,
  commandId: row.commandId,
  error: row.error,
  fileId: row.fileId,
});
