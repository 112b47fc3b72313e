import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Whether the browser uses HTTPS. Behind a proxy that terminates TLS only headers tell; a client gains nothing by
 * forging them.
 */
export const isSecure = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' || headers.origin?.startsWith('https:') === true || headers['x-forwarded-proto'] === 'https';

/**
 * Browsers accept such a name only from this host over HTTPS: sibling domains cannot set the cookie (RFC 6265bis,
 * 4.1.3.2).
 */
const HOST_PREFIX = '__Host-';

/** Over HTTPS only the cookie with the `__Host-` prefix is read. */
export function readCookie(request: FastifyRequest, name: string): string | undefined {
  const cookies = new Map(
    (request.headers.cookie ?? '').split(';').map((pair) => {
      const [key = '', ...value] = pair.trim().split('=');
      return [key, value.join('=')] as const;
    }),
  );
  const value = cookies.get(HOST_PREFIX + name) ?? (isSecure(request) ? undefined : cookies.get(name));
  return value === '' ? undefined : value;
}

/** Adds an HttpOnly cookie. `sameSite` is Lax only for cookies that a redirect from another site must carry. */
export function setHostCookie(
  reply: FastifyReply,
  cookie: {
    readonly name: string;
    readonly value: string;
    readonly seconds: number;
    readonly sameSite?: 'Strict' | 'Lax';
  },
  secure = isSecure(reply.request),
): FastifyReply {
  const { name, value, seconds, sameSite = 'Strict' } = cookie;
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}`;
  const line = secure ? `${HOST_PREFIX}${name}=${value}; ${attributes}; Secure` : `${name}=${value}; ${attributes}`;
  const before = [reply.getHeader('set-cookie') ?? []].flat().map(String);
  return reply.removeHeader('set-cookie').header('set-cookie', before.length === 0 ? line : [...before, line]);
}
