import createClient from 'openapi-fetch';
import type { paths } from '../../dist/client/fleetgate.d.ts';

/** Shows the API that a request with the cookie of the login comes from this application. */
export const CONSOLE_HEADERS = { 'x-requested-with': 'fleetgate-console' };

export const api = createClient<paths>({ headers: CONSOLE_HEADERS });

/** detail where no answer has come; `Problem` shows it in the user's language */
export const NO_ANSWER = 'no answer';

/** A problem (RFC 9457) that the API has answered; status 0: no answer has come. */
export class ApiProblem extends Error {
  readonly status: number;
  /** docs/errors.md; undefined where no API has answered */
  readonly code: string | undefined;

  constructor(status: number, detail: string, code?: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

export function toLogin(): never {
  window.location.assign(`/login?next=${encodeURIComponent(window.location.pathname + window.location.search)}`);
  throw new ApiProblem(401, 'not logged in');
}

/** API or proxy say that no process answers now. */
const AWAY = new Set([0, 502, 503, 504]);
const ASK_AGAIN_MS = 5_000;

/** When a query is asked again, ms: one that failed while the server was away fails no longer once it is back. */
export const whileAway = ({
  state: { error },
}: {
  readonly state: { readonly error: Error | null };
}): number | false => (error instanceof ApiProblem && AWAY.has(error.status) ? ASK_AGAIN_MS : false);

/** As whileAway, and each so many ms otherwise; false: not at all. */
export const every =
  (ms: number | false) =>
  (query: Parameters<typeof whileAway>[0]): number | false =>
    whileAway(query) || ms;

const unanswered = (): never => {
  throw new ApiProblem(0, NO_ANSWER);
};

/** The body of an answer. Throws ApiProblem for every other status than 2xx. */
export async function answerOf<T>(
  request: Promise<{ readonly data?: T; readonly error?: unknown; readonly response: Response }>,
): Promise<T> {
  const { data, error, response } = await request.catch(unanswered);
  if (response.status === 401) toLogin();
  if (response.ok && data !== undefined) return data;
  const { title, detail, code } = (typeof error === 'object' ? (error ?? {}) : {}) as {
    readonly title?: string;
    readonly detail?: string;
    readonly code?: string;
  };
  throw new ApiProblem(response.status, detail ?? title ?? `HTTP ${response.status}`, code);
}

/** What is at a path that is not of the described API. Throws ApiProblem for every other status than 2xx. */
export async function textAt(path: string): Promise<string> {
  const response = await fetch(path, { headers: CONSOLE_HEADERS }).catch(unanswered);
  if (response.status === 401) toLogin();
  if (!response.ok) throw new ApiProblem(response.status, `HTTP ${response.status}`);
  return response.text().catch(unanswered);
}

export type Vehicle = paths['/v1/vehicles']['get']['responses']['200']['content']['application/json']['items'][number];
export type Me = paths['/v1/app/me']['get']['responses']['200']['content']['application/json'];
export type Command =
  paths['/v1/gprsCommands/']['get']['responses']['200']['content']['application/json']['items'][number];
export type Status = Vehicle['status'];
export type TimelineItem =
  paths['/v1/devices/{imei}/timeline']['get']['responses']['200']['content']['application/json']['items'][number];
