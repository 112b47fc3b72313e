import { formatTimestamp, type Queryable } from '../../database/index.ts';
import { DEVICES_PER_BUCKET, type FileFacts, type Part, type SealedFile } from '../part.ts';

/** The list of the files that count, one of each part. Positions and raw frames have one each. */
export interface Manifest {
  readFile(db: Queryable, part: Part): Promise<SealedFile | undefined>;
  /** All files, in the order of day and tenant. */
  listFiles(db: Queryable): Promise<SealedFile[]>;
  /** Parts that hold a file in a device's bucket. */
  listPartsOf(db: Queryable, deviceId: number): Promise<Part[]>;
  writeFile(db: Queryable, part: Part, facts: FileFacts): Promise<void>;
  deleteFile(db: Queryable, part: Part): Promise<void>;
  /** Deletes entries whose whole day is before `before`; the files are removed later, see listRemovals. Number of files. */
  forgetBefore(db: Queryable, before: number): Promise<number>;
}

type Row<T> = T & { readonly [column: string]: unknown };

/** Columns of SealedFile. `count`: column with the number of rows. */
export const columnsOf = (count: 'positions' | 'frames'): string =>
  `path, format, bytes, sha256, ${count} as positions, tenant_id as "tenantId", bucket,
  to_char(day, 'YYYY-MM-DD') as day, first_at as "firstAt", last_at as "lastAt"`;

function createManifest(table: 'history_file' | 'history_frame_file', count: 'positions' | 'frames'): Manifest {
  const FILE = columnsOf(count);
  return {
    async readFile(db, { tenantId, bucket, day }) {
      const { rows } = await db.query<Row<SealedFile>>(
        `select ${FILE} from ${table} where tenant_id = $1 and bucket = $2 and day = $3`,
        [tenantId, bucket, day],
      );
      return rows[0];
    },
    async listFiles(db) {
      const { rows } = await db.query<Row<SealedFile>>(`select ${FILE} from ${table} order by day, tenant_id, bucket`);
      return rows;
    },
    async listPartsOf(db, deviceId) {
      const { rows } = await db.query<Row<Part>>(
        `select tenant_id as "tenantId", bucket, to_char(day, 'YYYY-MM-DD') as day from ${table}
         where bucket = $1 order by day, tenant_id`,
        [Math.floor(deviceId / DEVICES_PER_BUCKET)],
      );
      return rows;
    },
    async writeFile(db, { tenantId, bucket, day }, { path, positions, firstAt, lastAt, bytes, sha256, format }) {
      await db.query(
        `insert into ${table} as f (tenant_id, bucket, day, path, ${count}, first_at, last_at, bytes, sha256, format)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         on conflict (tenant_id, bucket, day) do update set path = excluded.path, ${count} = excluded.${count},
           first_at = excluded.first_at, last_at = excluded.last_at, bytes = excluded.bytes, sha256 = excluded.sha256,
           format = excluded.format, created_at = now()`,
        [
          tenantId,
          bucket,
          day,
          path,
          positions,
          formatTimestamp(firstAt),
          formatTimestamp(lastAt),
          bytes,
          sha256,
          format,
        ],
      );
      await db.query('delete from history_removal where path = $1', [path]);
    },
    async deleteFile(db, { tenantId, bucket, day }) {
      await db.query(`delete from ${table} where tenant_id = $1 and bucket = $2 and day = $3`, [tenantId, bucket, day]);
    },
    async forgetBefore(db, before) {
      const done = await db.query(`delete from ${table} where day + 1 <= ($1::timestamptz at time zone 'UTC')::date`, [
        formatTimestamp(before),
      ]);
      return done.rowCount ?? 0;
    },
  };
}

export const positionFiles = createManifest('history_file', 'positions');
export const frameFiles = createManifest('history_frame_file', 'frames');
