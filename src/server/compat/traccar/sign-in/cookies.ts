import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Cookie name that clients of Traccar expect. */
const COOKIE = 'JSESSIONID';
const PATTERN = new RegExp(`(?:^|;) *${COOKIE}=([^; ]+)`);

export const sessionCookieOf = (headers: IncomingHttpHeaders): string | undefined =>
  PATTERN.exec(headers.cookie ?? '')?.[1];

export function setSessionCookie(reply: FastifyReply, request: FastifyRequest, value: string, seconds: number): void {
  const secure = request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${COOKIE}=${value}; Path=/api; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`);
}

/** Browsers say where a request comes from; other clients do not, and have no cookies of others. */
export function isOwnSite(headers: IncomingHttpHeaders, host: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
