import { isIP } from 'node:net';
import type { StreamOptions } from './message.ts';

export interface TlsOptions {
  readonly servername?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** TLS by the name of the host, although the connection is made to its address. */
export function tlsOptions(host: string, options: StreamOptions): TlsOptions {
  const { ca, cert, key } = options;
  return {
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(typeof ca === 'string' ? { ca } : {}),
    ...(typeof cert === 'string' ? { cert } : {}),
    ...(typeof key === 'string' ? { key } : {}),
  };
}

/** User and password of the options, otherwise those of the URL. */
export function credentialsOf(url: URL, options: StreamOptions): { username?: string; password?: string } {
  const username = String(options['username'] ?? decodeURIComponent(url.username));
  const password = String(options['password'] ?? decodeURIComponent(url.password));
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
}
