import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors.ts';

/**
 * `"v<version>.<hash>"`: the version is that of the record, which If-Match refers to; the hash distinguishes answers whose
 * record is the same and whose surroundings (a position, a driver) are not.
 */
export function etagOf(version: number, body: unknown): string {
  return `"v${version}.${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 16)}"`;
}

/** Sets the entity tag of an answer. The document says so of routes whose configuration has `isTagged`. */
export function setTag(request: FastifyRequest, reply: FastifyReply, etag: string): FastifyReply {
  if (request.routeOptions.config.isTagged !== true) throw new Error(`${request.routeOptions.url} is not \`isTagged\``);
  return reply.header('etag', etag);
}

/** Answers with an ETag; 304 without a body where the client has it. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, version: number, body: unknown): FastifyReply {
  const etag = etagOf(version, body);
  setTag(request, reply, etag);
  return matches(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body);
}

/** If-None-Match, compared weakly (RFC 9110, 13.1.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((tag) => opaque(tag) === opaque(etag));
}

/** Version that If-Match asks for; undefined: any. Throws AppError `precondition-failed` for what is no tag of ours. */
export function expectedVersion(request: FastifyRequest): number | undefined {
  const { config, url } = request.routeOptions;
  if (!config.errors?.includes('precondition-failed')) throw new Error(`${url} does not say that it reads If-Match`);
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  const version = /^"v(\d{1,9})[."]/.exec(header.trim())?.[1];
  if (version === undefined) throw new AppError('precondition-failed');
  return Number(version);
}
