import type { FastifyReply, FastifyRequest } from 'fastify';

/** Does the browser use HTTPS? Behind a proxy that ends TLS only the headers say so; claiming it falsely has no use. */
export const isSecure = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' || headers.origin?.startsWith('https:') === true || headers['x-forwarded-proto'] === 'https';

/** Browsers accept such a name only from this host over HTTPS: sibling domains cannot set the cookie (RFC 6265bis, 4.1.3.2). */
const HOST_PREFIX = '__Host-';

/** Over HTTPS only the cookie of this very host is read. */
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

/** Adds a cookie that scripts cannot read. `sameSite` is Lax only for what a redirect of another site must carry. */
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
