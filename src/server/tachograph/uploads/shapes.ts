import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { member, textLike, toInstant } from '../../kernel/http/index.ts';
import { warnings } from '../files/shapes.ts';
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
        name: textLike('C_20260501_0830_I100000123456001.ddd'),
        outcome: z.enum(['stored', 'duplicate', 'rejected']),
        fileId: member.fileId.nullable(),
        problem: z.object({ code: z.string(), detail: z.string() }).nullable(),
        incomplete: z.boolean().describe('it does not count as the periodic download'),
        warnings: warnings.describe('what is damaged, cut or implausible in it; at most ten'),
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
  results: row.results.map(({ incomplete = false, warnings: found = [], ...result }) => ({
    ...result,
    incomplete,
    warnings: found.map((finding) => ({ ...finding })),
  })),
  createdBy: row.createdBy,
  createdAt: toInstant(row.createdAt),
});
