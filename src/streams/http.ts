import { withDeadline } from '../platform/deadline.ts';
import type { OpenSender, Rejection, StreamMessage } from './message.ts';

const BATCH = 100;
/** The receiver understands the request and will never accept this content. */
const REJECTED = new Set([400, 413, 415, 422]);

/** Batches in the JSON batch format of CloudEvents, signed as webhooks are. */
export const openHttp: OpenSender = async ({ url, options }, { post, sign, timeoutMs }) => {
  const closing = new AbortController();
  const size = Number(options['batchSize'] ?? BATCH);
  const token = options['token'];
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };

  /** Halves a batch that is rejected, so that the messages around the cause arrive. */
  const sendBatch = async (batch: readonly StreamMessage[]): Promise<Rejection[]> => {
    const [first] = batch;
    if (first === undefined) return [];
    const body = `[${batch.map((message) => message.body).join(',')}]`;
    const headers = {
      ...(await sign({ id: first.id, body })),
      ...authorization,
      'content-type': 'application/cloudevents-batch+json',
      'user-agent': 'Fleetgate',
    };
    const status = await withDeadline(timeoutMs, closing.signal, (signal) => post(url, body, headers, signal));
    if (status >= 200 && status < 300) return [];
    if (!REJECTED.has(status)) throw new Error(`status ${status}`);
    if (batch.length === 1) return [{ message: first, reason: `status ${status}` }];
    const half = Math.ceil(batch.length / 2);
    return [...(await sendBatch(batch.slice(0, half))), ...(await sendBatch(batch.slice(half)))];
  };
  return {
    async send(messages) {
      const rejections: Rejection[] = [];
      for (let at = 0; at < messages.length; at += size) {
        rejections.push(...(await sendBatch(messages.slice(at, at + size))));
      }
      return rejections;
    },
    async close() {
      closing.abort(new Error('the stream is closed'));
    },
  };
};
