import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { DownlinkLine, UnadmittedFrame } from '../../contract/events.ts';
import type { SetAsideAnswer, SetAsideReport } from '../../contract/set-aside.ts';
import { doublingMs } from '../../platform/backoff.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { ApiAddress, Tokens } from './token.ts';

/** A downlink without data for this long is closed; the API sends a ping every 10 s. */
const SILENCE_MS = 35_000;
const LEASE_MS = 10_000;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;

export interface OnlineConnection {
  readonly conn: string;
  readonly imei: string;
  readonly protocol: string;
  readonly transport: 'tcp' | 'udp' | 'http';
  readonly remote: string;
  readonly since: number;
}

export interface DownlinkDependencies {
  /** the current API */
  readonly at: () => ApiAddress;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly log: Log;
  handleLine(line: DownlinkLine): void;
  onInterrupted(): void;
  /** all open connections, for the lease of presence */
  online(): Iterable<OnlineConnection>;
  /** the sample of unadmitted frames, if it has changed or `whole` is set */
  unadmittedFrames?(whole: boolean): readonly UnadmittedFrame[] | undefined;
  /** set-aside records, if they have changed or `whole` is set; `reported` is called when the API has them */
  setAside?(whole: boolean): { readonly report: SetAsideReport; reported(): void } | undefined;
  /** records in the spool that the API has not got */
  waiting?(): number;
}

/**
 * The downlink, and the lease of presence that is renewed while it is open. Connects again with back-off when it ends.
 * A gateway without a downlink still serves devices.
 */
export class Downlink {
  readonly #deps: DownlinkDependencies;
  readonly #stop = new AbortController();
  #moving = new AbortController();
  #connected = false;
  #wasOpen = false;
  #reason = 'not connected yet';
  #running: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;

  constructor(deps: DownlinkDependencies) {
    this.#deps = deps;
  }

  /** Why the downlink is not open; undefined if it is. */
  get trouble(): string | undefined {
    return this.#connected ? undefined : this.#reason;
  }

  /** The gateway has received the devices once. */
  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /**
   * Stops, and tells the API that the gateway is gone: its devices are offline at once, not at the end of the lease. Waits
   * for the API at most for `withinMs`; false if it has not been told.
   */
  async leave(withinMs: number): Promise<boolean> {
    const isReachable = this.#connected;
    await this.stop();
    if (!isReachable) return false;
    const { clock, log, waiting } = this.#deps;
    const signal = AbortSignal.timeout(withinMs);
    try {
      // a renewal that arrived later would extend the lease again
      await this.#renewing;
      return await announceStop(this.#deps, clock.now(), waiting?.(), signal);
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'the API does not know that the gateway stops');
      return false;
    }
  }

  /** Reconnects without back-off after a change of the API endpoint. */
  reconnect(): void {
    this.#moving.abort();
  }

  async #run(): Promise<void> {
    const { log, tokens } = this.#deps;
    let failures = 0;
    while (!this.#stop.signal.aborted) {
      if (this.#moving.signal.aborted) {
        this.#moving = new AbortController();
        failures = 0;
      }
      try {
        await this.#hold(() => {
          failures = 0;
        });
        this.#reason = 'the API ended the stream';
      } catch (error) {
        this.#reason = (error as Error).message;
        tokens.forget();
      }
      if (this.#connected) log.warn({ reason: this.#reason }, 'downlink lost');
      this.#connected = false;
      this.#deps.onInterrupted();
      if (this.#stop.signal.aborted) return;
      const pauseMs = doublingMs(++failures, MIN_PAUSE_MS, MAX_PAUSE_MS);
      // so that the gateways of an API that has been restarted do not connect at the same time
      await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal: this.#ending() }).catch(() => {});
    }
  }

  #ending(): AbortSignal {
    return AbortSignal.any([this.#stop.signal, this.#moving.signal]);
  }

  async #hold(onFirstLine: () => void): Promise<void> {
    const { at, tokens, log, handleLine } = this.#deps;
    const { apiUrl, dispatcher } = at();
    const { statusCode, body } = await request(new URL('/v1/internal/downlink', apiUrl), {
      headers: { authorization: `Bearer ${await tokens.get()}`, accept: 'application/x-ndjson' },
      headersTimeout: 10_000,
      bodyTimeout: SILENCE_MS,
      signal: this.#ending(),
      ...(dispatcher && { dispatcher }),
    });
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`the API has refused the downlink: status ${statusCode}`);
    }
    let lease: NodeJS.Timeout | undefined;
    try {
      for await (const text of linesOf(body)) {
        if (!this.#connected) {
          this.#connected = true;
          this.#wasOpen = true;
          onFirstLine();
          log.info('downlink open');
          await this.#lease(true);
          lease = setInterval(() => {
            this.#renewing = this.#lease(false).catch((e: Error) =>
              log.warn({ reason: e.message }, 'presence not renewed'),
            );
          }, LEASE_MS);
        }
        if (text !== '') handleLine(JSON.parse(text) as DownlinkLine);
      }
    } finally {
      clearInterval(lease);
      // errors after this point have no effect
      body.on('error', () => {}).destroy();
    }
  }

  /** Renews presence without waiting for the interval, with what has changed. */
  async renew(): Promise<void> {
    await this.#lease(false);
  }

  /** Answers a request that came through the downlink. */
  async answer(answer: SetAsideAnswer): Promise<void> {
    const status = await this.#post('/v1/internal/set-aside', answer);
    if (status !== 200) throw new Error(`the API has refused the answer: status ${status}`);
  }

  async #lease(whole: boolean): Promise<void> {
    const { clock, online } = this.#deps;
    const setAside = this.#deps.setAside?.(whole);
    const status = await this.#post('/v1/internal/presence', {
      clock: clock.now(),
      connections: whole ? [...online()] : undefined,
      unadmittedFrames: this.#deps.unadmittedFrames?.(whole),
      setAside: setAside?.report,
      waiting: this.#deps.waiting?.(),
    });
    if (status !== 200) throw new Error(`the API has refused the presence: status ${status}`);
    setAside?.reported();
  }

  #post(path: string, content: object): Promise<number> {
    return post(this.#deps, path, content);
  }
}

interface Api {
  readonly at: () => ApiAddress;
  readonly tokens: Tokens;
}

/** Tells the API that a gateway has stopped, with the records that wait in its spool; false if it does not take that. */
export async function announceStop(
  api: Api,
  clock: number,
  waiting: number | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const report = { clock, connections: [], waiting, stopping: true };
  return (await post(api, '/v1/internal/presence', report, signal)) === 200;
}

async function post({ at, tokens }: Api, path: string, content: object, signal?: AbortSignal): Promise<number> {
  const { apiUrl, dispatcher } = at();
  const { statusCode, body } = await request(new URL(path, apiUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokens.get()}`, 'content-type': 'application/json' },
    body: JSON.stringify(content),
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
    ...(signal && { signal }),
    ...(dispatcher && { dispatcher }),
  });
  await body.dump();
  return statusCode;
}

/** Complete lines of a UTF-8 stream. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}
