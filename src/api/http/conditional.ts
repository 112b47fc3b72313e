import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** Strong entity tag of an answer: a hash of its JSON. */
export const etagOf = (value: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)}"`;

/** If-None-Match, compared weakly (RFC 9110, 13.1.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((tag) => opaque(tag) === opaque(etag));
}

export const notModified = (reply: FastifyReply): never => reply.code(304).send() as never;
