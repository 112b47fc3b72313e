import { z } from 'zod';
import { parseRedisUrl } from '../../platform/redis-url.ts';
import { parseDatabaseUrl } from './database-url.ts';

const text = z.string().min(1);

export const databaseSettings = {
  DATABASE_URL: text
    .optional()
    .describe(
      'connection URL of an external PostgreSQL, version 15 or later; without it an embedded one is started. Several hosts, comma-separated (`postgresql://user@one:5432,two:5432/db`): the one that can be written to is used',
    ),
  DATABASE_READ_URL: text
    .optional()
    .describe(
      'connection URL of a standby of DATABASE_URL, or of several, that positions are read from for reports and exports; with `target_session_attrs` of libpq',
    ),
  DATABASE_READ_MAX_LAG_S: z.coerce
    .number()
    .int()
    .min(2)
    .max(3_600)
    .default(10)
    .describe('how far behind the primary DATABASE_READ_URL may be, s; otherwise reports read from the primary'),
};

export const redisSettings = {
  REDIS_URL: text
    .optional()
    .describe(
      'URL of Redis or Valkey for the command queue, also `redis+sentinel://host1,host2/mymaster` and `redis+cluster://host1,host2`; without it the queue is stored in PostgreSQL',
    ),
};

interface DatabaseSettings {
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_READ_URL?: string | undefined;
  readonly REDIS_URL?: string | undefined;
}

/** A URL of libpq, or a socket as pg names it. Several hosts are no URL: the first one stands for them. */
const isConnectionUrl = (url: string): boolean =>
  /^(socket:|\/)/.test(url) ||
  (/^postgres(ql)?:\/\/./.test(url) && URL.canParse(url.replaceAll(/,[^/?@]*(?=[/?]|$)/g, '')));

export function databaseProblems({ DATABASE_URL, DATABASE_READ_URL, REDIS_URL }: DatabaseSettings): string[] {
  const problems: string[] = [];
  const kindOf = (name: string, url: string | undefined): string | undefined => {
    if (url === undefined) return undefined;
    try {
      if (!isConnectionUrl(url)) throw new TypeError('no URL');
      return parseDatabaseUrl(url).kind;
    } catch {
      problems.push(`${name}: must be a connection URL of PostgreSQL, postgresql://user:password@host:port/database`);
      return undefined;
    }
  };
  const kind = kindOf('DATABASE_URL', DATABASE_URL);
  if (kind !== undefined && kind !== 'read-write' && kind !== 'primary') {
    problems.push('DATABASE_URL: target_session_attrs must be read-write or primary');
  }
  kindOf('DATABASE_READ_URL', DATABASE_READ_URL);
  if (DATABASE_READ_URL !== undefined && DATABASE_URL === undefined) {
    problems.push('DATABASE_READ_URL: needs DATABASE_URL');
  }
  try {
    if (REDIS_URL !== undefined) parseRedisUrl(REDIS_URL);
  } catch (error) {
    problems.push(`REDIS_URL: ${(error as Error).message}`);
  }
  return problems;
}
