import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { toInstant } from '../../http/index.ts';
import type { UploadRow } from './store.ts';

const count = z.number().int();

export const uploadShape = z
  .object({
    uploadId: z.string(),
    state: z
      .enum(['running', 'done', 'failed'])
      .describe('failed: the server ended before all files were stored; send them again, duplicates are recognized'),
    files: count.describe('of the request; an archive can hold more'),
    done: count.describe('files of the request that are finished'),
    results: z.array(
      z.object({
        name: z.string(),
        outcome: z.enum(['stored', 'duplicate', 'rejected']),
        fileId: z.string().nullable(),
        problem: z.object({ code: z.string(), detail: z.string() }).nullable(),
      }),
    ),
    createdBy: z.string(),
    createdAt: instant,
  })
  .meta({ id: 'TachographUpload' });

export const presentUploadJob = (row: UploadRow): z.output<typeof uploadShape> => ({
  uploadId: row.id,
  state: row.isStale ? 'failed' : row.state,
  files: row.files,
  done: row.done,
  results: [...row.results],
  createdBy: row.createdBy,
  createdAt: toInstant(row.createdAt),
});
