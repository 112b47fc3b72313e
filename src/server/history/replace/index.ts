import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { hasFiledRows } from '../days/index.ts';
import * as files from '../files/store.ts';
import { positionFiles } from '../manifest/store.ts';
import type { Part } from '../part.ts';
import { describe, HistoryError, type SealDeps, sealPart } from '../seal.ts';
import { inSnapshot } from '../transaction.ts';
import * as store from './store.ts';

export interface ReplaceRequest {
  /** Fills the table `position_change` of the session (see store.ts). */
  readonly stage: (session: pg.Client) => Promise<void>;
  /** in the transaction that replaces the positions of a part, whose changes are `position_change` */
  readonly apply?: (tx: pg.Client, part: Part) => Promise<void>;
  /** epoch ms: rows that arrived since then stay rows, also where their day has a file */
  readonly arrivedBefore: number;
  readonly progress?: (part: Part, positions: number) => void;
}

export interface Replaced {
  /** positions that have been replaced or added */
  readonly positions: number;
  readonly parts: number;
  /** parts in which nothing was replaced, with the reason */
  readonly failed: readonly { readonly part: Part; readonly reason: string }[];
}

/** Steps of a replacement, in order; those of a seal lie between the last two. */
export const REPLACE_STEPS = ['staged', 'listed', 'replaced', 'stored'] as const;

/**
 * Replaces positions part by part, each in one transaction: it deletes rows, inserts others and, if the file of the part
 * has some of the replaced positions, writes the file again without them and enters it in the manifest. A process that is
 * killed has replaced all of a part or nothing of it.
 */
export async function replacePositions(
  client: pg.Client,
  request: ReplaceRequest,
  deps: SealDeps,
  isFatal: (error: unknown) => boolean,
): Promise<Replaced> {
  await store.makeChanges(client);
  await request.stage(client);
  await deps.at?.('staged');
  const failed: { part: Part; reason: string }[] = [];
  let positions = 0;
  let parts = 0;
  for (const { changes, ...part } of await store.listParts(client)) {
    try {
      await replacePart(client, part, request, deps);
      positions += changes;
      parts += 1;
      request.progress?.(part, positions);
    } catch (error) {
      if (isFatal(error)) throw error;
      failed.push({ part, reason: (error as Error).message });
    }
  }
  return { positions, parts, failed };
}

async function replacePart(client: pg.Client, part: Part, request: ReplaceRequest, deps: SealDeps): Promise<void> {
  const { storage, duckdb, workDir } = deps;
  await mkdir(workDir, { recursive: true });
  const keys = join(workDir, `bucket-${part.bucket}-${randomBytes(6).toString('hex')}.keys`);
  try {
    await store.copyKeys(client, part, keys);
    const wanted = await store.countReplaced(client, part);
    const file = await positionFiles.readFile(client, part);
    const filed =
      file === undefined || wanted === 0
        ? 0
        : await storage.read([file], 'all', ([local]) => duckdb.with((db) => files.countKeys(db, local!, keys)));
    const isFiled = await hasFiledRows(client, part);
    await deps.at?.('listed');
    const replace = async (): Promise<void> => {
      const { wide, narrow } = await store.deleteReplaced(client, part);
      // rows that are in the file as well count once
      const found = wide + filed + (isFiled ? 0 : narrow);
      if (found < wanted) {
        throw new HistoryError(`${describe(part)}: ${wanted} positions to replace, ${found} found`);
      }
      await store.insertChanges(client, part);
      await request.apply?.(client, part);
      await deps.at?.('replaced');
    };
    if (filed > 0) {
      const { arrivedBefore } = request;
      const options = { before: Number.MAX_SAFE_INTEGER, arrivedBefore, hoursApart: 0 };
      await sealPart(client, part, { ...options, replaced: { keys, replace } }, deps);
    } else await inSnapshot(client, replace);
    await deps.at?.('stored');
  } finally {
    await rm(keys, { force: true });
  }
}
