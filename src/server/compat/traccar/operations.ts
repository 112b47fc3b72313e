import type { Readable } from 'node:stream';
import { AppError, type ErrorCode, errorTable } from '../../../platform/errors.ts';
import type { App } from '../../kernel/http/index.ts';
import type { Caller } from './sign-in/service.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * Operations of this API on behalf of the caller: access rules, limits, checks, tenancy and the audit trail are those
 * of a request that the caller makes. What is refused is thrown as AppError.
 */
export interface Operations {
  call<T>(method: Method, path: string, body?: object): Promise<T>;
  /** All pages of a list. */
  list<T>(path: string, query?: Query): AsyncGenerator<T>;
  /** An answer that does not end; `signal` ends it. */
  stream(path: string, signal: AbortSignal): Promise<Readable>;
}

const PAGE = 500;

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

export const pathOf = (strings: TemplateStringsArray, ...parts: readonly string[]): string =>
  String.raw({ raw: strings }, ...parts.map(encodeURIComponent));

export function operationsOf(app: App, { token, address }: Pick<Caller, 'token' | 'address'>): Operations {
  const request = (method: Method, url: string) =>
    ({ method, url, remoteAddress: address, headers: { authorization: `Bearer ${token}` } }) as const;
  const call: Operations['call'] = async <T>(method: Method, path: string, body?: object): Promise<T> => {
    const answer = await app.inject({ ...request(method, path), ...(body === undefined ? {} : { payload: body }) });
    if (answer.statusCode >= 300) throw errorOf(answer.statusCode, answer.body, answer.headers['retry-after']);
    return answer.json() as T;
  };
  return {
    call,
    async *list<T>(path: string, query: Query = {}) {
      let cursor: string | undefined;
      do {
        const page: { items: T[]; nextCursor: string | null } = await call(
          'GET',
          withQuery(path, { limit: PAGE, ...query, cursor }),
        );
        yield* page.items;
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
    async stream(path, signal) {
      // a signal that is given to inject ends a stream that nobody reads yet, and its error ends the process
      const answer = await app.inject({ ...request('GET', path), payloadAsStream: true });
      const end = (): void => void answer.raw.res.destroy();
      if (answer.statusCode !== 200 || signal.aborted) {
        end();
        throw new AppError('unavailable');
      }
      signal.addEventListener('abort', end, { once: true });
      // the reader of the stream receives errors
      return answer.stream().on('error', () => {});
    },
  };
}

/** The same error again, as the operation has answered it, with the time after which it may be asked again. */
function errorOf(status: number, text: string, retryAfter: unknown): AppError {
  const { code, detail, errors } = JSON.parse(text) as {
    code: string;
    detail: string;
    errors?: { pointer: string; detail: string }[];
  };
  const known: ErrorCode = Object.hasOwn(errorTable, code) ? (code as ErrorCode) : 'internal';
  const seconds = Number(retryAfter ?? Number.NaN);
  return new AppError(known, detail, errors ?? [], Number.isNaN(seconds) ? undefined : seconds, status);
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** What an operation answers, or undefined if it answers one of these codes. */
export const unless = <T>(codes: readonly ErrorCode[], answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error) => {
    if (error instanceof AppError && codes.includes(error.code)) return undefined;
    throw error;
  });
