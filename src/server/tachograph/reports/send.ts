import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Format, MEDIA_TYPES, type Report } from '../../documents/report.ts';
import { attachment } from '../files/routes.ts';
import type { Reader } from '../reader/index.ts';
import type { AnyFormat } from './request.ts';

/** What a client gets who cannot take bytes. */
export const packed = z.object({ fileName: z.string(), mime: z.string(), contentBase64: z.string() });

const BINARY: readonly Format[] = ['pdf', 'xlsx', 'csv'];
const bareType = (format: Format): string => MEDIA_TYPES[format].split(';', 1)[0]!;

/** Media types of the files. */
export const FILE_TYPES: readonly string[] = BINARY.map(bareType);

/** `format` counts; without it the first type of Accept that is one of ours. */
export function formatOf(request: FastifyRequest, format: AnyFormat | undefined): AnyFormat {
  if (format !== undefined) return format;
  const types = (request.headers.accept ?? '').split(',').map((range) => range.split(';', 1)[0]!.trim().toLowerCase());
  for (const type of types) {
    if (type === 'application/json') return 'json';
    const found = BINARY.find((each) => bareType(each) === type);
    if (found !== undefined) return found;
  }
  return 'json';
}

/** Does the client take JSON and nothing else? */
const takesJsonAlone = (request: FastifyRequest): boolean =>
  /^\s*application\/json\s*(;[^,]*)?$/i.test(request.headers.accept ?? '');

export interface Answer {
  /** without an extension */
  readonly name: string;
  readonly json: unknown;
  /** made only on request */
  readonly report: () => Report;
}

/** Answers in the format that was asked for: JSON, or a file. */
export async function sendReport(
  request: FastifyRequest,
  reply: FastifyReply,
  reader: Reader,
  format: AnyFormat,
  { name, json, report }: Answer,
): Promise<void> {
  reply.header('cache-control', 'no-store');
  if (format === 'json') return reply.send(json);
  const bytes = await reader.ask('render', { report: report(), format });
  const fileName = `${name}.${format}`;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (takesJsonAlone(request)) {
    return reply.send({ fileName, mime: bareType(format), contentBase64: buffer.toString('base64') });
  }
  return reply.type(MEDIA_TYPES[format]).header('content-disposition', attachment(fileName)).send(buffer);
}
