import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';

/**
 * `"v<version>.<hash>"`: the version of the record is what If-Match compares; the hash changes also if related data
 * in the response (a position, a driver) changes.
 */
export function etagOf(version: number, body: unknown): string {
  return `"v${version}.${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 16)}"`;
}

/** Sets the ETag of a response. The route configuration must have `isTagged`. */
export function setTag(request: FastifyRequest, reply: FastifyReply, etag: string): FastifyReply {
  if (request.routeOptions.config.isTagged !== true) throw new Error(`${request.routeOptions.url} is not \`isTagged\``);
  return reply.header('etag', etag);
}

/** Sends the response with an ETag, or 304 if If-None-Match matches. */
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

/**
 * Version that If-Match requires; undefined if any. Throws AppError `precondition-failed` if it is not an ETag of
 * this API.
 */
export function expectedVersion(request: FastifyRequest): number | undefined {
  const { config, url } = request.routeOptions;
  if (!config.errors?.includes('precondition-failed')) throw new Error(`${url} does not say that it reads If-Match`);
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  const version = /^"v(\d{1,9})[."]/.exec(header.trim())?.[1];
  if (version === undefined) throw new AppError('precondition-failed');
  return Number(version);
}
