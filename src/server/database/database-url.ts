const KINDS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
/** `target_session_attrs` of libpq */
export type SessionKind = (typeof KINDS)[number];

/** A connection URL, taken apart. */
export interface DatabaseUrl {
  /** for each host a URL with this host alone, in order */
  readonly urls: readonly string[];
  readonly kind: SessionKind | undefined;
}

export class DatabaseUrlError extends Error {
  override readonly name = 'DatabaseUrlError';
}

const SCHEME = /^postgres(?:ql)?:\/\//;

/**
 * Reads a URL as libpq does: several hosts, each with its port (`postgresql://user@one:5432,two:5432/db`), or as
 * parameters (`?host=one,two&port=5432,5433`), and `target_session_attrs`. Throws DatabaseUrlError.
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const scheme = SCHEME.exec(text)?.[0];
  // a single socket, in pg's own form
  if (scheme === undefined) return { urls: [text], kind: undefined };
  const rest = text.slice(scheme.length);
  const end = /[/?#]/.exec(rest)?.index ?? rest.length;
  const authority = rest.slice(0, end);
  const at = authority.lastIndexOf('@');
  const login = authority.slice(0, at + 1);
  const tail = new URL(`postgresql://${login}localhost${rest.slice(end)}`);
  const parameters = tail.searchParams;
  const kind = (parameters.get('target_session_attrs') ?? undefined) as SessionKind | undefined;
  if (kind !== undefined && !KINDS.includes(kind)) {
    throw new DatabaseUrlError(`target_session_attrs must be one of ${KINDS.join(', ')}`);
  }
  parameters.delete('target_session_attrs');
  const named = parameters.get('host');
  if (!(named ?? authority).includes(',')) return { urls: [kind === undefined ? text : withoutKind(text)], kind };
  const addresses =
    named === null
      ? authority
          .slice(at + 1)
          .split(',')
          .map(splitAddress)
      : namedHosts(parameters);
  const urls = addresses.map(({ host, port }) => urlOf(tail, host, port));
  return { urls, kind };
}

function withoutKind(text: string): string {
  const url = new URL(text);
  url.searchParams.delete('target_session_attrs');
  return url.href;
}

interface Address {
  readonly host: string;
  readonly port: string;
}

function splitAddress(text: string): Address {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(text) ?? [];
  if (host === '' && text !== '') throw new DatabaseUrlError('has an invalid host');
  return { host: decodeURIComponent(host), port };
}

function namedHosts(parameters: URLSearchParams): Address[] {
  const hosts = parameters.get('host')!.split(',');
  const ports = (parameters.get('port') ?? '').split(',');
  if (ports.length !== 1 && ports.length !== hosts.length) {
    throw new DatabaseUrlError('must name one port, or as many ports as hosts');
  }
  parameters.delete('host');
  parameters.delete('port');
  return hosts.map((host, n) => ({ host, port: ports[ports.length === 1 ? 0 : n]! }));
}

function urlOf(tail: URL, host: string, port: string): string {
  const url = new URL(tail);
  if (host.startsWith('/')) {
    // a folder with the socket
    url.searchParams.set('host', host);
    if (port !== '') url.searchParams.set('port', port);
  } else {
    if (host !== '') url.hostname = host;
    if (host !== '' && url.hostname === 'localhost' && host !== 'localhost') {
      throw new DatabaseUrlError('has an invalid host');
    }
    url.port = port;
  }
  return url.href;
}
