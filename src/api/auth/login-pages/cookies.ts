import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGES_COOKIE } from '../../http/index.ts';

const HOME = '/console';

/** A path of this very server, whatever the form says. */
export function ownPath(text: unknown): string {
  return typeof text === 'string' && /^\/(?![/\\])[\w\-./?=&%]*$/.test(text) ? text : HOME;
}

export function setCookie(reply: FastifyReply, request: FastifyRequest, value: string, seconds: number): FastifyReply {
  // a proxy that ends TLS: the browser knows best; Secure does no harm where a header lies
  const isSecure =
    request.protocol === 'https' ||
    request.headers.origin?.startsWith('https:') === true ||
    request.headers['x-forwarded-proto'] === 'https';
  const secure = isSecure ? '; Secure' : '';
  return reply.header(
    'set-cookie',
    `${PAGES_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`,
  );
}
