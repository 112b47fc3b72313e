export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

interface Login {
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly isTls: boolean;
}

/** The address of Redis: one server, sentinels with the name of their master, or a cluster. */
export type RedisAddress =
  | { readonly type: 'server'; readonly url: string }
  | (Login & {
      readonly type: 'sentinel';
      /** of the master */
      readonly name: string;
      readonly sentinels: readonly RedisNode[];
      readonly db: number;
      readonly sentinelUsername: string | undefined;
      readonly sentinelPassword: string | undefined;
    })
  | (Login & { readonly type: 'cluster'; readonly nodes: readonly RedisNode[] });

export class RedisUrlError extends Error {
  override readonly name = 'RedisUrlError';
}

const SENTINEL_PORT = 26_379;
const REDIS_PORT = 6_379;
const FORM = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/]*)@)?([^/?#]+)([^?#]*)(?:\?([^#]*))?$/;

/**
 * Reads `redis://…` and `rediss://…`; `redis+sentinel://user:password@host1:26379,host2:26379/mymaster/0` with
 * `?sentinelPassword=…`; `redis+cluster://user:password@host1,host2`. With `rediss+` connections use TLS. Throws
 * RedisUrlError.
 */
export function parseRedisUrl(text: string): RedisAddress {
  const [, scheme, kind, login = '', hosts = '', path = '', query = ''] = FORM.exec(text) ?? [];
  if (scheme === undefined) {
    if (/^(rediss?|unix):\/\//.test(text) || !text.includes('://')) return { type: 'server', url: text };
    throw new RedisUrlError('must begin with redis://, rediss://, redis+sentinel:// or redis+cluster://');
  }
  const [user = '', ...secret] = login.split(':');
  const common = {
    isTls: scheme === 'rediss',
    username: decode(user),
    password: decode(secret.join(':')),
  };
  const [name = '', db = '0', ...rest] = path.split('/').slice(1).map(decodeURIComponent);
  if (kind === 'cluster') {
    if (name !== '' && name !== '0') throw new RedisUrlError('a cluster has no databases');
    return { type: 'cluster', ...common, nodes: nodesOf(hosts, REDIS_PORT) };
  }
  if (name === '' || rest.length > 0 || !/^\d+$/.test(db)) {
    throw new RedisUrlError('must name the master: redis+sentinel://host1,host2/mymaster');
  }
  const parameters = new URLSearchParams(query);
  return {
    type: 'sentinel',
    ...common,
    name,
    db: Number(db),
    sentinels: nodesOf(hosts, SENTINEL_PORT),
    sentinelUsername: parameters.get('sentinelUsername') ?? undefined,
    sentinelPassword: parameters.get('sentinelPassword') ?? undefined,
  };
}

const decode = (text: string): string | undefined => (text === '' ? undefined : decodeURIComponent(text));

function nodesOf(text: string, defaultPort: number): RedisNode[] {
  return text.split(',').map((node) => {
    const [, host, port = String(defaultPort)] =
      /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(node.trim()) ?? [];
    if (host === undefined) throw new RedisUrlError('has an invalid host');
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  });
}
