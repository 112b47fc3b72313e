import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';
import type { Finding } from '../engine/index.ts';

export interface UploadResult {
  readonly name: string;
  readonly outcome: 'stored' | 'duplicate' | 'rejected';
  readonly fileId: string | null;
  readonly problem: { readonly code: string; readonly detail: string } | null;
  /** It does not count as the periodic download. Uploads that were stored before it was known have none. */
  readonly incomplete?: boolean;
  readonly warnings?: readonly Finding[];
}

export interface UploadRow {
  readonly id: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly files: number;
  readonly done: number;
  readonly results: readonly UploadResult[];
  readonly createdBy: string;
  /** epoch ms */
  readonly createdAt: number;
  readonly isStale: boolean;
  readonly [column: string]: unknown;
}

/** The process that works on an upload reports every few seconds. */
const COLUMNS = `id, state, files, done, results, created_by as "createdBy", created_at as "createdAt",
  state = 'running' and seen_at < now() - interval '1 minute' as "isStale"`;

export async function insertUpload(
  app: pg.Pool,
  tenantId: number,
  { files, createdBy, at }: { readonly files: number; readonly createdBy: string; readonly at: number },
): Promise<UploadRow> {
  const rows = await queryAsTenant<UploadRow>(app, tenantId, {
    text: `insert into ddd_upload (id, tenant_id, files, created_by, created_at)
           values ($1, $2, $3, $4, $5) returning ${COLUMNS}`,
    values: [
      `upl_${at.toString(16).padStart(12, '0')}${randomBytes(4).toString('hex')}`,
      tenantId,
      files,
      createdBy,
      new Date(at).toISOString(),
    ],
  });
  return rows[0]!;
}

export async function readUpload(app: pg.Pool, tenantId: number, id: string): Promise<UploadRow | undefined> {
  const rows = await queryAsTenant<UploadRow>(app, tenantId, {
    text: `select ${COLUMNS} from ddd_upload where tenant_id = $1 and id = $2`,
    values: [tenantId, id],
  });
  return rows[0];
}

/** A file of the upload is finished. */
export async function addResults(
  app: pg.Pool,
  tenantId: number,
  id: string,
  results: readonly UploadResult[],
): Promise<void> {
  await queryAsTenant(app, tenantId, {
    text: `update ddd_upload set done = done + 1, results = results || $3::jsonb, seen_at = now()
           where tenant_id = $1 and id = $2`,
    values: [tenantId, id, JSON.stringify(results)],
  });
}

export async function endUpload(app: pg.Pool, tenantId: number, id: string, state: 'done' | 'failed'): Promise<void> {
  await queryAsTenant(app, tenantId, {
    text: 'update ddd_upload set state = $3, seen_at = now() where tenant_id = $1 and id = $2',
    values: [tenantId, id, state],
  });
}

/** Uploads of all tenants whose process has ended. Number of them. */
export async function failStaleUploads(ingest: pg.Pool): Promise<number> {
  const { rowCount } = await ingest.query(
    `update ddd_upload set state = 'failed' where state = 'running' and seen_at < now() - interval '1 minute'`,
  );
  return rowCount ?? 0;
}

export async function renewUpload(app: pg.Pool, tenantId: number, id: string): Promise<void> {
  await queryAsTenant(app, tenantId, {
    text: 'update ddd_upload set seen_at = now() where tenant_id = $1 and id = $2',
    values: [tenantId, id],
  });
}
