import { z } from 'zod';
import { EVENT_BYTES, EVENT_LINES } from '../../contract/events.ts';
import type { Clock } from '../../platform/clock.ts';
import { PACKED, POSITION } from '../spool/record.ts';
import type { Format, Slice } from './batch.ts';
import { failureResult, Poster } from './http.ts';
import type { LineRejection, Target } from './target.ts';

export interface PushTargetOptions {
  /** PUSH_URL */
  readonly url: string;
  /** PUSH_TOKEN, sent as a bearer credential */
  readonly token?: string | undefined;
  readonly clock: Clock;
  readonly name?: string;
  readonly connectTimeoutMs?: number;
  readonly timeoutMs?: number;
  /** names of a position's elements, for its member `named`; without it the member is left out */
  readonly named?: (position: PushedPosition) => object | undefined;
}

/** The position in the bytes of a record. */
export interface PushedPosition {
  readonly deviceId: string;
  readonly protocol: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** `{"positions":[…]}` */
const positionList: Format = {
  lines: { kinds: new Set([POSITION, PACKED]), separator: ',', opening: '{"positions":[', closing: ']}' },
  maxLines: EVENT_LINES,
  maxBytes: EVENT_BYTES,
};

const pushAnswer = z.object({
  rejected: z.array(
    z.object({ index: z.number().int().nonnegative(), code: z.string().optional(), detail: z.string().optional() }),
  ),
});

/** The receiver at PUSH_URL: positions only. */
export function pushTarget(options: PushTargetOptions): Target {
  const poster = new Poster({
    url: options.url,
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    timeoutMs: options.timeoutMs ?? 30_000,
    inFlight: 1,
    clock: options.clock,
  });
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
  return {
    name: options.name ?? 'push',
    format: positionList,
    // an external receiver does not promise to apply concurrent requests in order
    inFlight: 1,
    async send(slice, signal) {
      const body = options.named === undefined ? slice.body : withNames(slice.body, options.named);
      const answer = await poster.post('', headers, body, signal);
      if ('type' in answer) return answer;
      if (answer.status < 200 || answer.status > 299) return failureResult(answer);
      return { type: 'settled', rejected: readRejected(answer.text, slice) };
    },
    close: () => poster.close(),
  };
}

/** Adds the names, which are not stored. */
function withNames(body: Buffer, namesOf: NonNullable<PushTargetOptions['named']>): Buffer {
  const { positions } = JSON.parse(body.toString()) as { positions: PushedPosition[] };
  const withThem = positions.map((position) => {
    const named = namesOf(position);
    return named === undefined ? position : { ...position, named };
  });
  return Buffer.from(JSON.stringify({ positions: withThem }));
}

/** The rejections in a 2xx answer; none if its body is anything but a list of rejections. */
function readRejected(text: string, slice: Slice): LineRejection[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return [];
  }
  const parsed = pushAnswer.safeParse(body);
  if (!parsed.success) return [];
  return parsed.data.rejected.flatMap(({ index, code, detail }) => {
    const seq = slice.seqs[index];
    return seq === undefined ? [] : [{ seq, code: code ?? 'rejected', detail: detail ?? '' }];
  });
}
