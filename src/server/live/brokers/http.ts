import { withDeadline } from '../../../platform/deadline.ts';
import { halveRefused } from '../../../platform/halving.ts';
import type { OpenSender, Rejection, StreamMessage } from './message.ts';

const BATCH = 100;
/** Status codes that repeating the request would not change. */
const REJECTED = new Set([400, 413, 415, 422]);

/** Batches in the JSON batch format of CloudEvents, signed as webhooks are. */
export const openHttp: OpenSender = async ({ url, options }, { post, sign, timeoutMs }) => {
  const closing = new AbortController();
  const size = Number(options['batchSize'] ?? BATCH);
  const token = options['token'];
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };

  const sendBatch = async (batch: readonly StreamMessage[]): Promise<string | undefined> => {
    const body = `[${batch.map((message) => message.body).join(',')}]`;
    const headers = {
      ...(await sign({ id: batch[0]!.id, body })),
      ...authorization,
      'content-type': 'application/cloudevents-batch+json',
      'user-agent': 'Fleetgate',
    };
    const status = await withDeadline(timeoutMs, closing.signal, (signal) => post(url, body, headers, signal));
    if (status >= 200 && status < 300) return undefined;
    if (!REJECTED.has(status)) throw new Error(`status ${status}`);
    return `status ${status}`;
  };
  return {
    async send(messages) {
      const rejections: Rejection[] = [];
      for (let at = 0; at < messages.length; at += size) {
        const batch = messages.slice(at, at + size);
        await halveRefused(batch, sendBatch, (message, reason) => void rejections.push({ message, reason }));
      }
      return rejections;
    },
    async close() {
      closing.abort(new Error('the stream is closed'));
    },
  };
};
