import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** Strong ETag of a response: a hash of its JSON. */
export const etagOf = (value: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)}"`;

/** Answers 304 without a body. */
export const notModified = (reply: FastifyReply): FastifyReply => reply.code(304).send();
