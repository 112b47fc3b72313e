import { promisify } from 'node:util';
import { gzip, constants as zlib } from 'node:zlib';
import type { buildConnector } from 'undici';
import { eventsAnswer } from '../../contract/events.ts';
import { RECORD_BYTES, RECORD_LINES, RECORDS_CODING, RECORDS_MEDIA_TYPE } from '../../contract/records.ts';
import { FIRST_RECORDS_VERSION, RECORDS_VERSION_HEADER } from '../../contract/versions.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Spool } from '../spool/spool.ts';
import type { Format, Slice } from './batch.ts';
import { failureResult, type HttpAnswer, Poster } from './http.ts';
import type { LineRejection, PushResult, Target } from './target.ts';

export interface ApiTargetOptions {
  /** the API that is used now */
  readonly at: () => ApiPlace;
  readonly spool: Spool;
  /** a new token at each call: called first, and again after the API has answered 401 */
  readonly authorise: () => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
  readonly connectTimeoutMs?: number;
  readonly timeoutMs?: number;
}

export interface ApiPlace {
  /** usually without a path */
  readonly apiUrl: string;
  /** opens the connections to the API; another object after the API has changed */
  readonly connector?: buildConnector.connector;
}

const NAME = 'api';
/** The API reads one batch while the database stores the one before it; a third would only wait. */
const IN_FLIGHT = 2;

const compress = promisify(gzip);
const FAST = { level: zlib.Z_BEST_SPEED };

const spoolRecords: Format = { lines: 'records', maxLines: RECORD_LINES, maxBytes: RECORD_BYTES };

/** The API: it receives all records. */
export function apiTarget(options: ApiTargetOptions): Target {
  const { spool, clock, log } = options;
  let place = options.at();
  const open = ({ apiUrl, connector }: ApiPlace): Poster =>
    new Poster({
      url: `${apiUrl.replace(/\/+$/, '')}/v1/internal/events`,
      connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
      timeoutMs: options.timeoutMs ?? 30_000,
      inFlight: IN_FLIGHT,
      clock,
      connector,
    });
  let poster = open(place);
  /** Requests to the former API fail, and are sent again. */
  const follow = (): void => {
    const now = options.at();
    if (now.apiUrl === place.apiUrl && now.connector === place.connector) return;
    const before = poster;
    place = now;
    poster = open(place);
    takesGzip = false;
    void before.close();
  };
  let token: string | undefined;
  let isTokenFresh = false;
  /** the highest sequence that was sent under this spool id: the API cannot know a later one */
  let sentSeq = spool.openedAtSeq;
  let isIdFresh = false;
  /** by the last answer; earlier versions of the API do not state it */
  let takesGzip = false;

  async function authorised(): Promise<PushResult | undefined> {
    if (token !== undefined) return undefined;
    try {
      token = await options.authorise();
      isTokenFresh = true;
      return undefined;
    } catch (error) {
      return { type: 'retry', code: 'authorise', detail: (error as Error).message.slice(0, 300) };
    }
  }

  async function resultOf(answer: HttpAnswer, slice: Slice): Promise<PushResult> {
    if (answer.status === 401) {
      const wasFresh = isTokenFresh;
      token = undefined;
      return wasFresh ? failureResult(answer) : { type: 'again' };
    }
    isTokenFresh = false;
    if (answer.status < 200 || answer.status > 299) return failureResult(answer);
    const settled = readAnswer(answer.text);
    if (settled === undefined) return { type: 'retry', code: 'answer', detail: 'The answer is not one of the API' };
    if (settled.lastSeq > sentSeq && !isIdFresh) {
      isIdFresh = true;
      const { lastSeq } = settled;
      log.error({ lastSeq, sentSeq }, 'the API knows later records of this spool: it was set back; it takes a new id');
      await spool.renewId();
      return { type: 'again' };
    }
    if (settled.lastSeq > sentSeq) {
      return { type: 'retry', code: 'answer', detail: 'The API names records that were never sent' };
    }
    isIdFresh = false;
    const rejected = new Set(settled.rejected.map(({ seq }) => seq));
    const last = slice.seqs.findLast((seq) => !rejected.has(seq));
    if (last !== undefined && settled.lastSeq < last) {
      return { type: 'retry', code: 'behind', detail: `The API has stored up to ${settled.lastSeq} of ${last}` };
    }
    takesGzip = namesGzip(answer);
    const reads = Number(answer.headers[RECORDS_VERSION_HEADER] ?? FIRST_RECORDS_VERSION);
    return { type: 'settled', rejected: settled.rejected, reads };
  }

  return {
    name: NAME,
    format: spoolRecords,
    inFlight: IN_FLIGHT,
    follow,
    async send(slice, signal, behind) {
      const refused = await authorised();
      if (refused !== undefined) return refused;
      sentSeq = Math.max(sentSeq, slice.seqs.at(-1)!);
      const headers = { authorization: `Bearer ${token}`, 'content-type': RECORDS_MEDIA_TYPE };
      const pipelining = behind === undefined ? '' : `&after=${behind}&settled=${spool.cursor(NAME).seq}`;
      const query = `spool=${spool.id}&clock=${Math.floor(clock.now())}${pipelining}`;
      const isSmall = takesGzip && poster.isFar;
      const body = isSmall ? await compress(slice.body, FAST) : slice.body;
      const answer = await poster.post(
        query,
        isSmall ? { ...headers, 'content-encoding': RECORDS_CODING } : headers,
        body,
        signal,
      );
      if ('type' in answer) return answer;
      // another version may answer at the same address, one that reads compressed bytes as records
      if (isSmall && !namesGzip(answer) && !saysNothingOfBody(answer.status)) {
        takesGzip = false;
        return { type: 'again' };
      }
      return resultOf(answer, slice);
    },
    close: () => poster.close(),
  };
}

/** Says nothing of the body: it is about the credential, too many requests, or the state of the target. */
const saysNothingOfBody = (status: number): boolean => status === 401 || status === 429 || status >= 500;
const namesGzip = ({ headers }: HttpAnswer): boolean => String(headers['accept-encoding']).includes(RECORDS_CODING);

function readAnswer(text: string): { lastSeq: number; rejected: LineRejection[] } | undefined {
  try {
    const parsed = eventsAnswer.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
