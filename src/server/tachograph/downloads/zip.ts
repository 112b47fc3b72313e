import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import yazl from 'yazl';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { BYTE_ORDER_MARK, csvLine, csvNotationOf } from '../../documents/csv.ts';
import { normaliseTarga } from '../../fleet/records/index.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, instantField, tenantOf, text, toInstantOrNull } from '../../kernel/http/index.ts';
import { parseVehicleUnit } from '../engine/vu/parse.ts';
import { tags } from '../files/routes.ts';
import { type FileRow, listFiles, readBytes } from '../files/store.ts';
import type { Language } from '../reports/labels.ts';
import { type Naming, nameOf, naming, type Registration } from './names.ts';
import { readHeads } from './store.ts';

const MAX_FILES = 500;
const names = z.array(text(100, 1)).max(10_000).optional();
const body = z.object({
  fileIds: names,
  drivers: names,
  vehicles: names.describe('plates'),
  from: instantField('from').optional().describe('files with days since'),
  to: instantField('to').optional(),
  naming,
  lang: z.enum(['it', 'en']).default('en').describe('of `manifest.csv`: separator and byte order mark'),
});
type Body = z.output<typeof body>;

export interface ZipDeps {
  readonly pool: pg.Pool;
  readonly log: Log;
}

/** Operation 53: what is handed to inspectors. */
export function addZipRoutes(app: App, deps: ZipDeps): void {
  for (const path of ['/v1/drivers/ddd/download_zip', '/v1/drivers/ddd/donwload_file_ddd_zip']) {
    app.post(
      path,
      {
        config: {
          access: ['ddd:read'],
          produces: '*/*',
          files: ['application/zip'],
          audit: 'ddd.zip',
          errors: ['no-files', 'unknown-file', 'from-after-to'],
        },
        schema: {
          tags,
          summary: 'Tachograph files as a ZIP, as they came',
          description:
            `At most ${MAX_FILES} files, and \`manifest.csv\` with SHA-256, owner, period and verdict of each. What is ` +
            'named by driver, vehicle or interval is chosen together; without any of them it is every file.',
          body: body.meta({ example: { fileIds: ['ddd_00019f0a1b2c0a1b2c3d4e5f'], naming: 'original' } }),
        },
      },
      async (request: FastifyRequest<{ Body: Body }>, reply: FastifyReply) => {
        const tenantId = tenantOf(request);
        const rows = await chosen(deps.pool, tenantId, request.body);
        noteChange(request, { object: 'ddd', after: { files: rows.map(({ id }) => id) } });
        return await sendZip(reply, deps, {
          tenantId,
          rows,
          naming: request.body.naming,
          language: request.body.lang,
        });
      },
    );
  }
}

async function chosen(
  pool: pg.Pool,
  tenantId: number,
  { fileIds, drivers, vehicles, from, to }: Body,
): Promise<FileRow[]> {
  if (from !== undefined && to !== undefined && from > to) throw new AppError('from-after-to');
  if ((fileIds?.length ?? 0) > MAX_FILES) throw tooMany();
  const plates = vehicles?.map(normaliseTarga);
  const rows = await listFiles(pool, tenantId, { ids: fileIds, drivers, plates, from, to, limit: MAX_FILES + 1 });
  if (rows.length > MAX_FILES) throw tooMany();
  if (rows.length === 0) throw new AppError('no-files');
  if (fileIds !== undefined && drivers === undefined && vehicles === undefined && rows.length < new Set(fileIds).size) {
    const missing = fileIds.find((id) => !rows.some((row) => row.id === id));
    if (from === undefined && to === undefined) throw new AppError('unknown-file', `There is no file ${missing}`);
  }
  return rows;
}

const tooMany = (): AppError => new AppError('too-large', `At most ${MAX_FILES} files are given at once`);

export interface ZipContent {
  readonly tenantId: number;
  readonly rows: readonly FileRow[];
  readonly naming: Naming;
  /** of the manifest */
  readonly language: Language;
  /** documents beside the files and the manifest */
  readonly documents?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly fileName?: string;
  /** epoch ms of documents that are made for the answer; by default that of the newest file */
  readonly at?: number;
}

/** One file is read when the one before it has gone out. */
export async function sendZip(
  reply: FastifyReply,
  { pool, log }: ZipDeps,
  { tenantId, rows, naming, language, documents = [], fileName = 'tachograph.zip', at }: ZipContent,
): Promise<FastifyReply> {
  const registrations = naming === 'c1b-v1b' ? await registrationsOf(pool, tenantId, rows) : undefined;
  const zip = new yazl.ZipFile();
  const taken = new Set<string>(['manifest.csv', ...documents.map(({ name }) => name)]);
  const entries = rows.map((row) => ({ row, name: unique(nameOf(row, naming, registrations?.get(row.id)), taken) }));
  const out = zip.outputStream as NodeJS.ReadableStream;
  const answer = new PassThrough();
  const fail = (error: Error): void => {
    log.warn({ reason: error.message }, 'a ZIP of tachograph files broke off');
    answer.destroy(error);
  };
  zip.on('error', fail);
  out.on('error', fail).pipe(answer);
  const mtime = (row: FileRow): Date => new Date(row.uploadedAt);
  for (const { row, name } of entries) {
    // entries are requested one after the other, and read only when they are
    zip.addReadStreamLazy(name, { mtime: mtime(row), size: row.size }, (take) => {
      readBytes(pool, tenantId, row.id).then(
        (bytes) => {
          if (bytes === undefined) return take(new Error('the file has been removed'), new PassThrough());
          const stream = new PassThrough();
          stream.end(bytes);
          take(null, stream);
        },
        (error: Error) => take(error, new PassThrough()),
      );
    });
  }
  const newest = new Date(at ?? rows.at(-1)!.uploadedAt);
  for (const { name, bytes } of documents) zip.addBuffer(Buffer.from(bytes), name, { mtime: newest });
  zip.addBuffer(Buffer.from(manifestOf(entries, documents, language)), 'manifest.csv', { mtime: newest });
  zip.end();
  return reply
    .type('application/zip')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header('cache-control', 'no-store')
    .send(answer);
}

/** Of the units among the files: their registrations with the country, which the overview begins with. */
async function registrationsOf(
  pool: pg.Pool,
  tenantId: number,
  rows: readonly FileRow[],
): Promise<Map<string, Registration>> {
  const units = rows.filter(({ kind }) => kind === 'vehicle-unit').map(({ id }) => id);
  const heads = await readHeads(pool, tenantId, units);
  return new Map(
    heads.flatMap(({ id, head }) => {
      const vehicle = parseVehicleUnit(head).overview?.vehicle;
      return vehicle === undefined ? [] : [[id, vehicle] as const];
    }),
  );
}

interface Entry {
  readonly row: FileRow;
  readonly name: string;
}

const MANIFEST = [
  ...(['name', 'file_id', 'sha256', 'bytes', 'kind', 'driver_id', 'card_number', 'vehicle'] as const),
  ...(['from', 'to', 'downloaded_at', 'signature'] as const),
];

function manifestOf(
  entries: readonly Entry[],
  documents: NonNullable<ZipContent['documents']>,
  language: Language,
): string {
  const notation = csvNotationOf(language);
  const lines = [
    MANIFEST,
    ...entries.map(({ row, name }) => [
      name,
      row.id,
      row.sha256,
      row.size,
      row.kind,
      row.driverId,
      row.cardNumber,
      row.plate,
      row.periodFrom,
      row.periodTo,
      toInstantOrNull(row.downloadedAt),
      row.verdict,
    ]),
    ...documents.map(({ name, bytes }) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return [name, null, sha256, bytes.byteLength, 'document', ...Array<null>(7).fill(null)];
    }),
  ].map((cells) => csvLine(cells, notation));
  // programs read the plain one, and know its first column by name
  const mark = language === 'en' ? '' : BYTE_ORDER_MARK;
  return `${mark}${lines.join('\r\n')}\r\n`;
}

function unique(name: string, taken: Set<string>): string {
  const [, stem, extension] = /^(.*?)(\.[^.]*)?$/.exec(name)!;
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${stem}_${n}${extension ?? ''}`;
    if (taken.has(candidate.toLowerCase())) continue;
    taken.add(candidate.toLowerCase());
    return candidate;
  }
}
