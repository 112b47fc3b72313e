import pg from 'pg';
import type { Log } from '../../platform/log.ts';
import { type DatabaseUrl, parseDatabaseUrl, type SessionKind } from './database-url.ts';
import { readSessionKind } from './store.ts';

/** No host has the wanted role; with the reason for each. */
export class NoHostError extends Error {
  override readonly name = 'NoHostError';
  /** as PostgreSQL reports a transaction that must not write */
  readonly code = '25006';
}

/** What is known of the hosts of a URL, by all connections of this process. */
export interface Hosts {
  /** URL of a host of the wanted kind. Throws NoHostError. */
  find(): Promise<string>;
  /** A connection to the host has failed, or it is of the wrong kind. */
  failed(url: string): void;
  /** Whether a session that PostgreSQL describes so is of the wanted kind. */
  accepts(session: SessionState): boolean;
  /** `cut` is called when the host is no longer used, though the connection may appear to be alive. Returns how to end that. */
  watch(url: string, cut: () => void): () => void;
}

export interface SessionState {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

export interface HostsDeps {
  readonly database: DatabaseUrl;
  readonly kind: SessionKind;
  readonly log: Log;
  /** ms in which a host has to answer; shorter in tests */
  readonly answerMs?: number;
  readonly checkEveryMs?: number;
}

const ANSWER_MS = 3_000;
/** a host that does not answer for so long does not hold up the next one */
const NEXT_AFTER_MS = 500;
const CHECK_EVERY_MS = 2_000;

const accepted: Readonly<Record<SessionKind, (session: SessionState) => boolean>> = {
  any: () => true,
  'read-write': ({ isStandby, isReadOnly }) => !isStandby && !isReadOnly,
  'read-only': ({ isStandby, isReadOnly }) => isStandby || isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
  'prefer-standby': ({ isStandby }) => isStandby,
};

/**
 * Finds the host of the wanted kind: hosts are asked in order, each next one when the former has failed or has not answered
 * for half a second. While it is used it is checked; connections to it are cut when it fails and another host is of the
 * wanted kind, as those to a machine that has vanished would wait for minutes.
 */
export function createHosts(deps: HostsDeps): Hosts {
  const { database, kind, log, answerMs = ANSWER_MS, checkEveryMs = CHECK_EVERY_MS } = deps;
  const { urls } = database;
  const watched = new Map<string, Set<() => void>>();
  let current: string | undefined;
  let finding: Promise<string> | undefined;
  let checking: NodeJS.Timeout | undefined;

  const isWanted = accepted[kind];
  // libpq: any host, if none is a standby
  const choices = kind === 'prefer-standby' ? [isWanted, accepted.any] : [isWanted];
  const findOnce = async (): Promise<string> => {
    const reasons: string[] = [];
    for (const isAccepted of choices) {
      const url = await firstToAnswer(urls, {
        ask: (asked) => ask(asked, answerMs),
        isAccepted,
        onRefused: (reason) => reasons.push(reason),
      });
      if (url !== undefined) return url;
    }
    throw new NoHostError(`no host is ${kind}: ${reasons.join('; ')}`);
  };
  const find = (): Promise<string> => {
    if (current !== undefined) return Promise.resolve(current);
    finding ??= findOnce()
      .then((url) => {
        current = url;
        cutOthers(url);
        return url;
      })
      .finally(() => {
        finding = undefined;
      });
    return finding;
  };
  const cutOthers = (url: string): void => {
    for (const [other, cuts] of watched) {
      if (other === url || cuts.size === 0) continue;
      log.warn({ host: hostOf(url), connections: cuts.size }, 'another host of the database is used');
      for (const cut of Array.from(cuts)) cut();
    }
  };
  const check = async (): Promise<void> => {
    const checked = current ?? [...watched].find(([, cuts]) => cuts.size > 0)?.[0];
    if (checked === undefined) return;
    const isUsable = await ask(checked, answerMs).then(isWanted, () => false);
    if (isUsable) return;
    if (current === checked) current = undefined;
    await find().catch(() => {});
  };
  const checkLater = (): void => {
    if (checking !== undefined) return;
    checking = setTimeout(() => {
      checking = undefined;
      void check().finally(() => {
        if ([...watched.values()].some((cuts) => cuts.size > 0)) checkLater();
      });
    }, checkEveryMs).unref();
  };
  return {
    find,
    failed(url) {
      if (current === url) current = undefined;
    },
    accepts: kind === 'prefer-standby' ? () => true : isWanted,
    watch(url, cut) {
      const cuts = watched.get(url) ?? new Set();
      watched.set(url, cuts.add(cut));
      checkLater();
      return () => void cuts.delete(cut);
    },
  };
}

/** Asks one host by a connection of its own. */
async function ask(url: string, answerMs: number): Promise<SessionState> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    application_name: 'fleetgate hosts',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await readSessionKind(client);
  } finally {
    client.end().catch(() => {});
  }
}

interface Question {
  ask(url: string): Promise<SessionState>;
  isAccepted(session: SessionState): boolean;
  /** why a host is rejected */
  onRefused(reason: string): void;
}

/**
 * The host whose acceptable answer comes first. Each is asked NEXT_AFTER_MS after the one before it, or at once when that has
 * failed or is not acceptable: an earlier one has so much of a lead, and no other precedence. Undefined once all have been
 * refused.
 */
function firstToAnswer(urls: readonly string[], { ask: askOne, isAccepted, onRefused }: Question) {
  return new Promise<string | undefined>((resolve) => {
    let left = urls.length;
    let timer: NodeJS.Timeout | undefined;
    const begin = (n: number): void => {
      const url = urls[n];
      if (url === undefined) return;
      let isNextBegun = false;
      const next = (): void => {
        if (isNextBegun) return;
        isNextBegun = true;
        begin(n + 1);
      };
      const refused = (reason: string): void => {
        onRefused(`${hostOf(url)}${reason}`);
        next();
        if (--left === 0) resolve(undefined);
      };
      timer = setTimeout(next, NEXT_AFTER_MS);
      void askOne(url).then(
        (session) => {
          if (!isAccepted(session)) return refused(` is ${nameOf(session)}`);
          clearTimeout(timer);
          resolve(url);
        },
        (error: Error) => refused(`: ${error.message}`),
      );
    };
    begin(0);
  });
}

const nameOf = ({ isStandby, isReadOnly }: SessionState): string =>
  isStandby ? 'a standby' : isReadOnly ? 'read-only' : 'a primary';

const hostOf = (url: string): string => {
  const { host, searchParams } = new URL(url);
  return searchParams.get('host') ?? host;
};

/** Where a database is: one host, or the hosts among which the right one is looked for. */
export interface DatabaseAddress {
  /** of the host, or of one of them */
  readonly url: string;
  readonly hosts?: Hosts | undefined;
}

/** Where the database of a URL is. `kind` is what sessions have to be where the URL does not say so. */
export function addressOf(url: string, log: Log, kind: SessionKind = 'read-write'): DatabaseAddress {
  const database = parseDatabaseUrl(url);
  const first = database.urls[0]!;
  if (database.urls.length === 1 && database.kind === undefined) return { url: first };
  return { url: first, hosts: createHosts({ database, kind: database.kind ?? kind, log }) };
}

/** URL of the one host that can be written to now. Throws NoHostError. */
export async function writableUrl(url: string, log: Log): Promise<string> {
  const address = addressOf(url, log);
  return address.hosts === undefined ? address.url : address.hosts.find();
}
