/** A server behind HAProxy: where it listens, and the port that is asked whether it may be used. */
export interface Backend {
  readonly name: string;
  readonly port: number;
  readonly checkPort: number;
}

export interface Balanced {
  readonly name: string;
  readonly port: number;
  readonly backends: readonly Backend[];
  readonly check: readonly string[];
}

const httpCheck = (path: string): string[] => [`option httpchk GET ${path}`, 'http-check expect status 200'];

export const READY = httpCheck('/readyz');
export const PRIMARY = httpCheck('/primary');
export const REDIS_MASTER = [
  'option tcp-check',
  String.raw`tcp-check send PING\r\n`,
  'tcp-check expect string +PONG',
  String.raw`tcp-check send info\ replication\r\n`,
  'tcp-check expect string role:master',
];

/** One front end for each; connections to a server that is down are closed. */
export function haproxyConfig(all: readonly Balanced[]): string {
  const lines = [
    'global',
    '  maxconn 4000',
    'defaults',
    '  mode tcp',
    '  balance leastconn',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    '  timeout check 2s',
    '  default-server inter 500ms fall 3 rise 1 on-marked-down shutdown-sessions',
  ];
  for (const { name, port, backends, check } of all) {
    lines.push(`listen ${name}`, `  bind 127.0.0.1:${port}`, ...check.map((line) => `  ${line}`));
    for (const each of backends) {
      lines.push(`  server ${each.name.replace(' ', '-')} 127.0.0.1:${each.port} check port ${each.checkPort}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
