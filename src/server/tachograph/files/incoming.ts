import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import type { Limits } from '../settings.ts';

/** A file of an upload. Its name is shown to people and is not interpreted. */
export interface Incoming {
  readonly name: string;
  /** Throws AppError `too-large`. */
  bytes(): Promise<Uint8Array>;
}

export interface Upload {
  readonly files: readonly Incoming[];
  /** fields beside the files */
  readonly fields: Readonly<Record<string, string>>;
  /** hash of fields and files of a form, which its boundary is no part of */
  readonly digest?: Buffer;
  /** the client sent a single file, and receives a single result */
  readonly isSingle: boolean;
  discard(): Promise<void>;
}

const inJson = z.object({
  fileBase64: z.base64(),
  fileName: z.string().max(1_000).optional(),
});
const query = z.object({ filename: z.string().max(1_000).optional() });
const NOTHING = async (): Promise<void> => {};

/** The last part of a path, without what a terminal or a header would trip over. */
export const cleanName = (name: string | undefined): string =>
  basename((name ?? '').replaceAll('\\', '/'))
    .replace(/[\p{Cc}"]/gu, '')
    .slice(0, 200) || 'download.ddd';

/**
 * The files of a request, in any of the three encodings. Files of a form go to a folder of their own first and are read one at a
 * time, so that a thousand of them take no more memory than one. Throws AppError `too-large`, `invalid`.
 */
export async function receive(
  request: FastifyRequest,
  limits: Limits,
  mostFiles = limits.uploadFiles,
): Promise<Upload> {
  if (request.isMultipart()) return receiveForm(request, limits, mostFiles);
  if (Buffer.isBuffer(request.body)) {
    const { body } = request;
    const { filename } = query.parse(request.query);
    return single(cleanName(filename), body, limits);
  }
  const parsed = inJson.safeParse(request.body);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new AppError('invalid', 'The body is not valid', [{ pointer: `/${path.join('/')}`, detail: message }]);
  }
  return single(cleanName(parsed.data.fileName), Buffer.from(parsed.data.fileBase64, 'base64'), limits);
}

function single(name: string, bytes: Uint8Array, { fileBytes }: Limits): Upload {
  if (bytes.length > fileBytes) throw tooLarge(fileBytes);
  return { files: [{ name, bytes: async () => bytes }], fields: {}, isSingle: true, discard: NOTHING };
}

export const tooLarge = (bytes: number): AppError => new AppError('too-large', `A file has at most ${bytes} bytes`);

async function receiveForm(request: FastifyRequest, limits: Limits, mostFiles: number): Promise<Upload> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetgate-ddd-'));
  const discard = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const files: Incoming[] = [];
  const fields: Record<string, string> = {};
  const hash = createHash('sha256');
  let total = 0;
  try {
    const parts = request.parts({
      limits: {
        fileSize: limits.fileBytes,
        files: mostFiles + 1,
        fields: 20,
        fieldSize: 65_536,
        parts: mostFiles + 30,
      },
    });
    for await (const part of parts) {
      if (part.type === 'field') {
        fields[part.fieldname] = String(part.value);
        hash.update(JSON.stringify([part.fieldname, String(part.value)]));
        continue;
      }
      if (files.length === mostFiles) throw new AppError('too-large', `At most ${mostFiles} files are taken at once`);
      const path = join(folder, String(files.length));
      hash.update(JSON.stringify([part.filename]));
      await pipeline(part.file, hashing(hash), createWriteStream(path));
      total += part.file.bytesRead;
      if (total > limits.uploadBytes) throw new AppError('too-large', `At most ${limits.uploadBytes} bytes in all`);
      const isCut = part.file.truncated;
      const bytes = async (): Promise<Uint8Array> => {
        if (isCut) throw tooLarge(limits.fileBytes);
        return readFile(path);
      };
      files.push({ name: cleanName(part.filename), bytes });
    }
  } catch (error) {
    await discard();
    throw asProblem(error, mostFiles);
  }
  return { files, fields, digest: hash.digest(), isSingle: files.length === 1, discard };
}

const hashing = (hash: Hash): PassThrough => new PassThrough().on('data', (chunk: Buffer) => hash.update(chunk));

function asProblem(error: unknown, mostFiles: number): unknown {
  const { code = '' } = error as { code?: string };
  if (/^FST_(FILES|PARTS)_LIMIT$/.test(code)) {
    return new AppError('too-large', `At most ${mostFiles} files are taken at once`);
  }
  if (code.startsWith('FST_') || /unexpected end of/i.test((error as Error).message)) {
    return new AppError('malformed', 'The form cannot be read');
  }
  return error;
}
