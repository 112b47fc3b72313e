import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { member, textLike, toInstantOrNull } from '../../kernel/http/index.ts';
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
  imei: member.imei.nullable().describe('device that the request was sent to'),
  commandId: member.commandId.nullable(),
  error: z
    .string()
    .nullable()
    .describe(
      'no-device, no-file, incomplete-file (cut or damaged: it is kept and does not count), state of a command that failed, ' +
        'or the code of the error with which the command or the file was rejected',
    ),
  fileId: member.fileId.nullable().describe('in the archive; null where there is none, or none any longer'),
};

/** In the lists of drivers and vehicles; null without a schedule. */
export const remoteOf = z
  .object({ id: textLike('rds_00019f0a1b2c0a1b2c3d'), everyDays: z.number().int(), ...remoteState })
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
