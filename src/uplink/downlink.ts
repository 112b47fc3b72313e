import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { DownlinkLine, UnadmittedFrame } from '../contract/events.ts';
import type { SetAsideAnswer, SetAsideReport } from '../contract/set-aside.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { ApiAddress, Tokens } from './token.ts';

/** The API sends a ping every 10 s; a stream without data for this long is dead. */
const SILENCE_MS = 35_000;
const LEASE_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

export interface OnlineConnection {
  readonly conn: string;
  readonly imei: string;
  readonly protocol: string;
  readonly transport: 'tcp' | 'udp' | 'http';
  readonly remote: string;
  readonly since: number;
}

export interface DownlinkDependencies {
  /** the API that is used now */
  readonly at: () => ApiAddress;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly log: Log;
  handleLine(line: DownlinkLine): void;
  onInterrupted(): void;
  /** open connections, whole, for the lease of presence */
  online(): Iterable<OnlineConnection>;
  /** the sample of frames of connections without an admitted device, if it has changed or is asked for as a whole */
  unadmittedFrames?(whole: boolean): readonly UnadmittedFrame[] | undefined;
  /** what was set aside, if it has changed or is asked for as a whole; the API has it when `reported` is called */
  setAside?(whole: boolean): { readonly report: SetAsideReport; reported(): void } | undefined;
}

/**
 * The held stream from the API, and the lease of presence that goes with it. Connects again whenever it ends, with
 * growing pauses; a gateway without it goes on serving devices.
 */
export class Downlink {
  readonly #deps: DownlinkDependencies;
  readonly #stop = new AbortController();
  #moving = new AbortController();
  #connected = false;
  #reason = 'not connected yet';
  #running: Promise<void> | undefined;

  constructor(deps: DownlinkDependencies) {
    this.#deps = deps;
  }

  /** `undefined` while the stream is held, otherwise why it is not. */
  get trouble(): string | undefined {
    return this.#connected ? undefined : this.#reason;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** The API is another one now: the stream of the former one ends, and no pause is waited for. */
  reconnect(): void {
    this.#moving.abort();
  }

  async #run(): Promise<void> {
    const { log, tokens } = this.#deps;
    let pause = FIRST_PAUSE_MS;
    while (!this.#stop.signal.aborted) {
      if (this.#moving.signal.aborted) {
        this.#moving = new AbortController();
        pause = FIRST_PAUSE_MS;
      }
      try {
        await this.#hold(() => {
          pause = FIRST_PAUSE_MS;
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
      await sleep(pause * (0.5 + Math.random()), undefined, { signal: this.#ending() }).catch(() => {});
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
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
      throw new Error(`the API gives no downlink: status ${statusCode}`);
    }
    let lease: NodeJS.Timeout | undefined;
    try {
      for await (const text of linesOf(body)) {
        if (!this.#connected) {
          this.#connected = true;
          onFirstLine();
          log.info('downlink held');
          await this.#lease(true);
          lease = setInterval(
            () => void this.#lease(false).catch((e: Error) => log.warn({ reason: e.message }, 'presence not renewed')),
            LEASE_MS,
          );
        }
        if (text !== '') handleLine(JSON.parse(text) as DownlinkLine);
      }
    } finally {
      clearInterval(lease);
      // Errors of an abandoned stream do not matter.
      body.on('error', () => {}).destroy();
    }
  }

  /** Renews presence at once, with what has changed. */
  async renew(): Promise<void> {
    await this.#lease(false);
  }

  /** Answers a request that came through the stream. */
  async answer(answer: SetAsideAnswer): Promise<void> {
    const status = await this.#post('/v1/internal/set-aside', answer);
    if (status !== 200) throw new Error(`answer not taken: status ${status}`);
  }

  async #lease(whole: boolean): Promise<void> {
    const { clock, online } = this.#deps;
    const setAside = this.#deps.setAside?.(whole);
    const status = await this.#post('/v1/internal/presence', {
      clock: clock.now(),
      connections: whole ? [...online()] : undefined,
      unadmittedFrames: this.#deps.unadmittedFrames?.(whole),
      setAside: setAside?.report,
    });
    if (status !== 200) throw new Error(`presence not taken: status ${status}`);
    setAside?.reported();
  }

  async #post(path: string, content: object): Promise<number> {
    const { at, tokens } = this.#deps;
    const { apiUrl, dispatcher } = at();
    const { statusCode, body } = await request(new URL(path, apiUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokens.get()}`, 'content-type': 'application/json' },
      body: JSON.stringify(content),
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
      ...(dispatcher && { dispatcher }),
    });
    await body.dump();
    return statusCode;
  }
}

/** Whole lines of a stream of UTF-8, as they come. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}
