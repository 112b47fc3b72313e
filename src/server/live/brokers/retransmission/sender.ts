import type { Rejection, StreamSender } from '../message.ts';
import { type Report, reportsOf } from './report.ts';

interface Relay {
  send(reports: readonly Report[]): Promise<readonly Rejection[]>;
  /** Throws if the receiver cannot be reached, or does not accept the stream as a whole. */
  reach(): Promise<void>;
  close(): void;
}

/**
 * A sender of positions. Messages without a device (test messages) only check that the receiver is reachable, and are
 * rejected.
 */
export const senderOf = (relay: Relay): StreamSender => ({
  async send(messages) {
    const { reports, rejections } = reportsOf(messages);
    if (rejections.length > 0) await relay.reach();
    return [...rejections, ...(await relay.send(reports))];
  },
  close: async () => relay.close(),
});
