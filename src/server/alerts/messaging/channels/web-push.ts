import type { RequestDetails } from 'web-push';
import { AppError } from '../../../../platform/errors.ts';
import { type Send, Undeliverable } from '../delivery.ts';

export interface Vapid {
  /** a mailto: or https: URL of the operator */
  readonly subject: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

export type PostBytes = (
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<number>;

const TTL_S = 6 * 3_600;
/** the browser has ended the subscription (RFC 8030, 7.3) */
const GONE = [404, 410];

/** Web push (RFC 8030), encrypted for the browser (RFC 8291) and signed by us (RFC 8292). */
export function webPushBy(vapid: Vapid, post: PostBytes): Send {
  return async ({ address, payload }, signal) => {
    const { keys, ...message } = payload as { keys: { p256dh: string; auth: string }; priority?: string };
    const urgency = message.priority === 'critical' || message.priority === 'high' ? 'high' : 'normal';
    // loaded by the first message: few processes send one
    const { default: webPush } = await import('web-push');
    let request: RequestDetails;
    try {
      const options = { vapidDetails: vapid, TTL: TTL_S, urgency, contentEncoding: 'aes128gcm' } as const;
      request = webPush.generateRequestDetails({ endpoint: address, keys }, JSON.stringify(message), options);
    } catch (error) {
      // invalid keys
      throw new Undeliverable((error as Error).message, true);
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
    const status = await post(address, request.body as Buffer, headers, signal).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'private-address') throw new Undeliverable(error.message);
      throw error;
    });
    if (GONE.includes(status)) throw new Undeliverable(`status ${status}: the subscription is over`, true);
    if (status === 400 || status === 413) throw new Undeliverable(`status ${status}`);
    if (status < 200 || status >= 300) throw new Error(`status ${status}`);
    return `status ${status}`;
  };
}
