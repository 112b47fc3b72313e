import { buildConnector, Client } from 'undici';
import type { Clock } from '../../platform/clock.ts';
import type { PushResult } from './target.ts';

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_RETRY_AFTER_MS = 3_600_000;
/** Round trip from which bodies are compressed, ms: within a data centre it is 1 ms, within a country 10. */
const MIN_FAR_ROUND_TRIP_MS = 50;
/** The shortest of this many round trips counts: one alone may include the wait for a busy process. */
const ROUND_TRIPS = 2;

export interface HttpSettings {
  readonly url: string;
  /** for a connection, ms */
  readonly connectTimeoutMs: number;
  /** for the whole request and answer, ms */
  readonly timeoutMs: number;
  /** pipelined requests, answered in their order (RFC 9112, 9.3.2) */
  readonly inFlight: number;
  readonly clock: Clock;
  /** opens the connections */
  readonly connector?: buildConnector.connector | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly retryAfterMs?: number;
}

/** One keep-alive connection to one URL, HTTP/1.1. */
export class Poster {
  readonly #settings: HttpSettings;
  readonly #client: Client;
  readonly #path: string;
  /** the last round trips, ms, the newest last: of the connection, then of requests */
  #roundTripsMs: number[] = [];

  constructor(settings: HttpSettings) {
    const url = new URL(settings.url);
    this.#settings = settings;
    this.#path = `${url.pathname}${url.search}`;
    this.#client = new Client(url.origin, {
      connect: this.#timed(settings.connector ?? buildConnector({ timeout: settings.connectTimeoutMs })),
      headersTimeout: settings.timeoutMs,
      bodyTimeout: settings.timeoutMs,
      keepAliveTimeout: 30_000,
      maxResponseSize: MAX_ANSWER_BYTES,
      pipelining: settings.inFlight,
      allowH2: false,
    });
  }

  /** Bodies are compressed: on a fast connection that would cost more time than it saves. */
  get isFar(): boolean {
    return this.#roundTripsMs.length > 0 && Math.min(...this.#roundTripsMs) > MIN_FAR_ROUND_TRIP_MS;
  }

  #timed(connect: buildConnector.connector): buildConnector.connector {
    const { clock } = this.#settings;
    return (options, callback) => {
      const began = clock.monotonic();
      connect(options, (...connected) => {
        this.#roundTripsMs = [clock.monotonic() - began];
        callback(...connected);
      });
    };
  }

  /** The answer, or the reason for a retry. */
  async post(
    query: string,
    headers: Record<string, string>,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<HttpAnswer | Extract<PushResult, { type: 'retry' }>> {
    const abort = new AbortController();
    const stop = () => abort.abort();
    let isLate = false;
    // only this timer ends a request to a server that accepts the connection and reads nothing
    const timer = setTimeout(() => {
      isLate = true;
      abort.abort();
    }, this.#settings.timeoutMs);
    const began = this.#settings.clock.monotonic();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const answer = await this.#client.request({
        method: 'POST',
        path: query === '' ? this.#path : `${this.#path}${this.#path.includes('?') ? '&' : '?'}${query}`,
        headers,
        body,
        // requests are idempotent, and an answer does not wait for the next request
        idempotent: this.#settings.inFlight > 1,
        blocking: this.#settings.inFlight === 1,
        signal: abort.signal,
      });
      const took = this.#settings.clock.monotonic() - began;
      this.#roundTripsMs = [...this.#roundTripsMs, took - readServerTiming(answer.headers['server-timing'])].slice(
        -ROUND_TRIPS,
      );
      const text = await answer.body.text();
      const retryAfterMs = readRetryAfter(answer.headers['retry-after'], this.#settings.clock.now());
      const { statusCode: status, headers: answered } = answer;
      return { status, text, headers: answered, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    } catch (error) {
      if (isLate) return { type: 'retry', code: 'time-out', detail: 'The target did not answer in time' };
      return { type: 'retry', code: 'network', detail: describeError(error) };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  close(): Promise<void> {
    return this.#client.destroy();
  }
}

function describeError(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return `${String(code ?? 'error')}: ${String(message)}`.slice(0, 300);
}

/** Processing time of the target, ms: the first duration (W3C Server Timing), 0 if it does not state one. */
const readServerTiming = (value: string | readonly string[] | undefined): number =>
  Number(/;\s*dur=(\d+(?:\.\d+)?)/.exec(String(value))?.[1] ?? 0);

/** Retry-After (RFC 9110, 10.2.3) in seconds or as a date → ms from now. */
export function readRetryAfter(value: string | readonly string[] | undefined, nowMs: number): number | undefined {
  const text = (typeof value === 'string' ? value : value?.[0])?.trim();
  if (text === undefined || text === '') return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

/**
 * Result of an answer other than 2xx. 400, 413 and 422 concern the records; any other status concerns the target or
 * this client, and no record may be rejected for it.
 */
export function failureResult(answer: HttpAnswer): PushResult {
  const code = `http-${answer.status}`;
  const detail = describeProblem(answer.text);
  if (answer.status === 400 || answer.status === 413 || answer.status === 422) return { type: 'refused', code, detail };
  const { retryAfterMs } = answer;
  return { type: 'retry', code, detail, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** The `detail` or `title` of a problem (RFC 9457), else the beginning of the text. */
function describeProblem(text: string): string {
  try {
    const { detail, title } = JSON.parse(text) as { detail?: unknown; title?: unknown };
    if (typeof detail === 'string') return detail.slice(0, 300);
    if (typeof title === 'string') return title.slice(0, 300);
  } catch {
    // not JSON: shown unchanged
  }
  return text.slice(0, 300);
}
