import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { normaliseTarga } from '../../fleet/records/index.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  BYTES,
  flagParameter,
  listOf,
  member,
  page,
  principalOf,
  tenantOf,
  text,
} from '../../kernel/http/index.ts';
import { recordName, removal } from '../../kernel/records/index.ts';
import type { Limits } from '../settings.ts';
import type { Uploads } from '../uploads/index.ts';
import { presentUploadJob, uploadShape } from '../uploads/shapes.ts';
import { receive } from './incoming.ts';
import type { Files } from './service.ts';
import { fileShape, judged, presentFile, presentOutcome, presentUpload, uploaded, uploadResult } from './shapes.ts';

export const tags = ['tachograph'];
/** Base64 takes four bytes for three. */
const asBase64 = (bytes: number): number => Math.ceil(bytes / 3) * 4 + 4_096;

/** Lets routes take files in a form or as bytes; elsewhere those are 415 as ever. */
export async function takeFiles(app: App, limits: Limits, add: (scope: App) => void): Promise<void> {
  await app.register(async (plain) => {
    await plain.register(multipart, { throwFileSizeLimit: false });
    plain.addContentTypeParser(BYTES, { parseAs: 'buffer', bodyLimit: limits.fileBytes }, (_request, body, done) =>
      done(null, body),
    );
    add(plain as FastifyInstance as App);
  });
}

export const uploadBodyLimit = (limits: Limits): number => asBase64(limits.fileBytes);
/** Of the three forms of an upload, the one that generated clients use. */
const FILE_FORM = {
  mediaType: 'multipart/form-data',
  schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
};

/** Operation 25, and what lies beside it. */
export async function addFileRoutes(app: App, files: Files, uploads: Uploads, limits: Limits): Promise<void> {
  await takeFiles(app, limits, (scope) => addUpload(scope, files, uploads, limits));
  addReads(app, files);
  addUploadReads(app, uploads);
  app.post(
    '/v1/drivers/ddd/bind',
    {
      config: { access: ['ddd:write'], errors: ['unknown-file', 'unknown-driver', 'unknown-vehicle'] },
      schema: {
        tags,
        summary: 'Say whose cards the files of unknown drivers are',
        description:
          'The card of each file, with its renewals and replacements, is the driver’s from now on: files that wait go ' +
          'to them, and so will those that come. A driver’s `cardNumber` does the same by itself.',
        body: z.object({
          fileIds: z
            .array(text(100, 1, 'ddd_00019f0a1b2c0a1b2c3d4e5f'))
            .min(1)
            .max(500),
          driverId: text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c'),
        }),
        response: { 200: z.object({ driverId: member.driverId, cards: z.number().int() }) },
      },
    },
    async (request) => {
      const { fileIds, driverId } = request.body;
      const cards = await files.bind(tenantOf(request), driverId, fileIds);
      noteChange(request, { object: driverId, after: { fileIds } });
      return { driverId, cards };
    },
  );
  app.post(
    '/v1/drivers/ddd/drivers',
    {
      config: { access: ['ddd:write', 'drivers:write'], errors: ['unknown-file'] },
      schema: {
        tags,
        summary: 'Create drivers from the cards of files that wait',
        description:
          'Each card that is no driver’s yet becomes one with the name on the card, or is assigned to the driver who has its ' +
          'number. The files are assigned and analyzed. Without `fileIds`, of all files that wait.',
        body: z.object({
          fileIds: z
            .array(text(100, 1, 'ddd_00019f0a1b2c0a1b2c3d4e5f'))
            .min(1)
            .max(500)
            .optional(),
        }),
        response: {
          200: z.object({
            items: z.array(
              z.object({
                driverId: member.driverId,
                name: member.name,
                cardNumber: member.cardNumber,
                created: z.boolean().describe('false: a driver had this card number already'),
                files: z.number().int(),
              }),
            ),
          }),
        },
      },
    },
    async (request) => {
      const items = await files.createDrivers(tenantOf(request), request.body.fileIds ?? null);
      noteChange(request, { object: 'drivers', after: { drivers: items.map(({ driverId }) => driverId) } });
      return { items };
    },
  );
  app.put(
    '/v1/drivers/ddd/files/:id/admission',
    {
      config: { access: ['ddd:write'], errors: ['unknown-file', 'signature-not-invalid'] },
      schema: {
        tags,
        summary: 'Admit a tachograph file although signatures of it are invalid',
        description:
          'A part with an invalid signature contributes nothing to activities and infringements. An admitted file ' +
          'contributes where no other source has data. The reason is kept with the file and in the audit trail. ' +
          '`{"admitted": false}` withdraws it. The drivers of the file are analysed again.',
        params: z.object({ id: recordName.meta({ example: 'ddd_00019f0a1b2c0a1b2c3d4e5f' }) }),
        body: z
          .object({ admitted: z.boolean(), reason: text(2_000, 1) })
          .meta({ example: { admitted: true, reason: 'The reader damaged the signature; the card was checked' } }),
        response: { 200: fileShape },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { admitted, reason } = request.body;
      const by = principalOf(request).id;
      const row = await files.admit(tenantOf(request), id, admitted ? { by, reason } : null);
      noteChange(request, { object: id, after: { sha256: row.sha256, admitted, reason } });
      return presentFile(row);
    },
  );
  app.delete(
    '/v1/drivers/ddd/files/:id',
    {
      config: { access: ['ddd:write'], errors: ['unknown-file'] },
      schema: {
        tags,
        summary: 'Remove a tachograph file',
        description: 'Its drivers are analysed again from the remaining files. By law, files must be kept for a year.',
        params: z.object({ id: recordName.meta({ example: 'ddd_00019f0a1b2c0a1b2c3d4e5f' }) }),
        response: { 200: removal },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { sha256 } = await files.find(tenantOf(request), id);
      await files.remove(tenantOf(request), id);
      noteChange(request, { object: id, before: { sha256 } });
      return { message: 'The file is removed', id };
    },
  );
}

function addUpload(scope: App, files: Files, uploads: Uploads, limits: Limits): void {
  scope.post(
    '/v1/drivers/ddd',
    {
      config: {
        access: ['ddd:write'],
        errors: ['not-a-ddd', 'several-cards', 'broken-archive', 'too-many-uploads'],
        takes: FILE_FORM,
      },
      bodyLimit: uploadBodyLimit(limits),
      schema: {
        tags,
        summary: 'Store tachograph downloads',
        description:
          'Cards and vehicle units: a form with any number of files (of a folder too), the bytes with `?filename=`, or ' +
          '`{"fileBase64", "fileName"}`. The bytes are kept as they came. The same bytes again are a `duplicate`. A card ' +
          'is matched to a driver by nation and the 14 characters that renewals keep; files of unknown drivers wait. ' +
          'A ZIP is unpacked, and a file with the downloads of several cards is split; where one card ends must be certain. ' +
          'About one file the answer is the file; about several it is `results`, where files that are no downloads are listed ' +
          'beside the others. With `background=true` the answer is an upload as soon as the files are received, and ' +
          '`GET /v1/drivers/ddd/uploads/{id}` shows its progress and results.',
        querystring: z.object({
          filename: text(1_000, 0, 'C_20260501_0830_I100000123456001.ddd').optional(),
          background: flagParameter().optional().describe('true: the answer does not wait for the files to be read'),
        }),
        response: { 200: z.union([uploaded, z.object({ results: z.array(uploadResult) }), uploadShape]) },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const { id: actor } = principalOf(request);
      const upload = await receive(request, limits);
      let isTaken = false;
      try {
        if (upload.digest !== undefined && (await request.isReplayOf(reply, upload.digest))) return reply;
        if (upload.files.length === 0) throw new AppError('invalid', 'The form holds no file');
        if (request.query.background === true) {
          const job = await uploads.begin(tenantId, actor, upload);
          isTaken = true;
          noteChange(request, { object: job.id, after: { files: job.files } });
          return presentUploadJob(job);
        }
        const parts = upload.isSingle ? await files.unpack(tenantId, upload.files[0]!) : upload.files;
        if (upload.isSingle && parts.length === 1) {
          const answer = presentUpload(await files.add(tenantId, actor, parts[0]!));
          noteChange(request, { object: answer.fileId, after: { sha256: answer.sha256, duplicate: answer.duplicate } });
          return answer;
        }
        const results = (await files.addAll(tenantId, actor, parts)).map(presentOutcome);
        const stored = results.flatMap(({ file }) => (file === undefined ? [] : [file.fileId]));
        noteChange(request, { object: 'ddd', after: { files: stored } });
        return { results };
      } finally {
        if (!isTaken) await upload.discard();
      }
    },
  );
}

function addUploadReads(app: App, uploads: Uploads): void {
  app.get(
    '/v1/drivers/ddd/uploads/:id',
    {
      config: { access: ['ddd:write'], errors: ['unknown-upload'] },
      schema: {
        tags,
        summary: 'Progress and results of an upload in the background',
        description: 'Results are in the order of the files. They are kept as long as files are.',
        params: z.object({ id: recordName.meta({ example: 'upl_00019f0a1b2c0a1b2c3d' }) }),
        response: { 200: uploadShape },
      },
    },
    async (request) => presentUploadJob(await uploads.find(tenantOf(request), request.params.id)),
  );
}

function addReads(app: App, files: Files): void {
  const params = z.object({ id: recordName.meta({ example: 'ddd_00019f0a1b2c0a1b2c3d4e5f' }) });
  app.get(
    '/v1/drivers/ddd/files',
    {
      config: { access: ['ddd:read'] },
      schema: {
        tags,
        summary: 'Stored tachograph files',
        querystring: z.object({
          waiting: flagParameter().optional().describe('true: of unknown drivers'),
          driver_id: text(100, 0, 'drv_0a1b2c3d4e5f6a7b8c').optional(),
          targa: text(64, 0, 'AB123CD').optional(),
          ...page,
        }),
        response: { 200: listOf(fileShape) },
      },
    },
    async (request) => {
      const { driver_id: driverId, targa, ...query } = request.query;
      const plate = targa === undefined ? undefined : normaliseTarga(targa);
      const { items, nextCursor } = await files.list(tenantOf(request), { ...query, driverId, plate });
      return { items: items.map(presentFile), nextCursor };
    },
  );
  app.get(
    '/v1/drivers/ddd/files/:id',
    {
      config: { access: ['ddd:read'], errors: ['unknown-file'] },
      schema: {
        tags,
        summary: 'A tachograph file, with the result of each signature check and its errors',
        params,
        response: { 200: judged },
      },
    },
    async (request) => {
      const { id } = request.params;
      const row = await files.find(tenantOf(request), id);
      const { signatures, findings } = await files.judgement(tenantOf(request), id);
      return { ...presentFile(row), signatures: [...signatures], warnings: [...findings] };
    },
  );
  app.get(
    '/v1/drivers/ddd/files/:id/content',
    {
      config: { access: ['ddd:read'], produces: BYTES, audit: 'ddd.downloaded', errors: ['unknown-file'] },
      schema: { tags, summary: 'The bytes of a tachograph file, as they came', params },
    },
    async (request, reply) => {
      const { name, sha256 } = await files.find(tenantOf(request), request.params.id);
      noteChange(request, { object: request.params.id, after: { sha256 } });
      return reply
        .type(BYTES)
        .header('content-disposition', attachment(name))
        .header('cache-control', 'no-store')
        .send(await files.bytes(tenantOf(request), request.params.id));
    },
  );
}

/** RFC 6266: a plain name for old clients, the whole one for the others. */
export const attachment = (name: string): string =>
  `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`;
