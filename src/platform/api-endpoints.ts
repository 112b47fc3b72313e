import { createHash } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { Agent, type buildConnector, request } from 'undici';
import type { Log } from './log.ts';
import { createPollLoop, type PollLoop } from './poll-loop.ts';

/** One API process, identified by a URL and one of the addresses of its host name. */
interface Candidate {
  readonly url: string;
  /** undefined: the address is not fixed */
  readonly address?: string;
}

interface Current extends Candidate {
  readonly connector: buildConnector.connector;
  readonly dispatcher: Agent;
}

export interface ApiEndpointsOptions {
  readonly urls: readonly string[];
  /** opens connections */
  readonly connector: buildConnector.connector;
  /** selects the first API, so that gateways are distributed over APIs */
  readonly gatewayId: string;
  readonly log: Log;
  readonly probeEveryMs?: number;
  readonly probeTimeoutMs?: number;
  /** addresses of a host name */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

const PROBE_EVERY_MS = 1_000;
const PROBE_TIMEOUT_MS = 1_500;
/**
 * consecutive unanswered probes until an API counts as failed; a refused connection or a not-ready API counts at once
 */
const MAX_MISSED_ANSWERS = 2;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** URLs of the setting API_URL. Throws RangeError if one is invalid. */
export function parseApiUrls(text: string): string[] {
  const urls = text
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '');
  for (const url of urls) {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new RangeError(`not a URL: ${url}`);
  }
  if (urls.length === 0) throw new RangeError('a URL is needed');
  return urls;
}

const resolveAll = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Selects one of several APIs for a gateway. It stays with one, so that batches of records reach the same process in
 * order, and fails over to another ready one. A single API is not probed.
 */
export class ApiEndpoints {
  readonly #options: ApiEndpointsOptions;
  readonly #listeners: (() => void)[] = [];
  #current: Current;
  #silent = 0;
  #loop: PollLoop | undefined;

  constructor(options: ApiEndpointsOptions) {
    this.#options = options;
    this.#current = this.#open({ url: options.urls[0]! });
  }

  get url(): string {
    return this.#current.url;
  }

  /** A new connector after each change. */
  get connector(): buildConnector.connector {
    return this.#current.connector;
  }

  get dispatcher(): Agent {
    return this.#current.dispatcher;
  }

  /** Called after a change: requests to the former API have failed. */
  onMoved(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Selects an API endpoint, and monitors it if there are several. */
  async start(): Promise<void> {
    const candidates = await this.#candidates();
    const first = createHash('sha256').update(this.#options.gatewayId).digest().readUInt32BE(0) % candidates.length;
    const inOrder = [...candidates.slice(first), ...candidates.slice(0, first)];
    this.#move((candidates.length === 1 ? undefined : await this.#firstReady(inOrder)) ?? inOrder[0]!);
    if (candidates.length === 1) return;
    const { log, probeEveryMs: everyMs = PROBE_EVERY_MS } = this.#options;
    this.#loop = createPollLoop({
      everyMs,
      firstAfterMs: everyMs,
      round: async () => {
        await this.#check();
        return false;
      },
      onError: (error) => log.warn({ reason: error.message }, 'the APIs cannot be probed'),
    });
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
    await this.#current.dispatcher.destroy();
  }

  async #check(): Promise<void> {
    const state = await this.#probe(this.#current, this.#current.dispatcher);
    if (state === 'ready') {
      this.#silent = 0;
      return;
    }
    if (state === 'silent' && ++this.#silent < MAX_MISSED_ANSWERS) return;
    const all = await this.#candidates();
    const { url, address } = this.#current;
    const at = all.findIndex((one) => one.url === url && one.address === address);
    const others = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at))];
    const next = await this.#firstReady(others);
    // no other API is ready: the cause is probably common to all
    if (next === undefined) return;
    this.#options.log.warn({ from: nameOf(this.#current), to: nameOf(next), state }, 'the gateway uses another API');
    this.#move(next);
  }

  #move(next: Candidate): void {
    const before = this.#current;
    this.#silent = 0;
    this.#current = this.#open(next);
    // pending requests fail and are retried
    void before.dispatcher.destroy();
    for (const listener of this.#listeners) listener();
  }

  #open(candidate: Candidate): Current {
    const { connector: connect } = this.#options;
    const { address } = candidate;
    const connector: buildConnector.connector = (options, callback) =>
      connect(address === undefined ? options : { ...options, hostname: address }, callback);
    return { ...candidate, connector, dispatcher: new Agent({ connect: connector }) };
  }

  async #candidates(): Promise<Candidate[]> {
    const lists = await Promise.all(this.#options.urls.map((url) => this.#addressesOf(url)));
    return lists.flat();
  }

  async #addressesOf(url: string): Promise<Candidate[]> {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0) return [{ url }];
    const { resolve = resolveAll } = this.#options;
    const addresses = [...new Set(await resolve(host).catch(() => []))];
    // the addresses of localhost are one process
    const isHere = addresses.every((address) => loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
    const isOne = addresses.length < 2 || (isHere && host === 'localhost');
    return isOne ? [{ url }] : addresses.sort().map((address) => ({ url, address }));
  }

  async #firstReady(candidates: readonly Candidate[]): Promise<Candidate | undefined> {
    const states = await Promise.all(
      candidates.map(async (candidate) => {
        const { dispatcher } = this.#open(candidate);
        const state = await this.#probe(candidate, dispatcher);
        await dispatcher.destroy();
        return state;
      }),
    );
    return candidates[states.indexOf('ready')];
  }

  async #probe({ url }: Candidate, dispatcher: Agent): Promise<'ready' | 'not-ready' | 'refused' | 'silent'> {
    const signal = AbortSignal.timeout(this.#options.probeTimeoutMs ?? PROBE_TIMEOUT_MS);
    try {
      const { statusCode, body } = await request(new URL('/readyz', url), { dispatcher, signal });
      await body.dump();
      return statusCode === 200 ? 'ready' : 'not-ready';
    } catch {
      return signal.aborted ? 'silent' : 'refused';
    }
  }
}

const nameOf = ({ url, address }: Candidate): string => (address === undefined ? url : `${url} (${address})`);
