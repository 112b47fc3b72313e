import { AppError } from '../../../../platform/errors.ts';
import { type Send, Undeliverable } from '../delivery.ts';

export interface WebhookDeps {
  readonly post: (
    url: string,
    body: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<number>;
  /** signature headers, so that the tenant's receiver can verify sender and time */
  readonly sign: (
    tenantId: number,
    message: { readonly id: string; readonly body: string },
  ) => Promise<Record<string, string>>;
}

/** The receiver has removed the endpoint (RFC 9110, 15.5.11). */
const GONE = 410;

export const webhookBy =
  ({ post, sign }: WebhookDeps): Send =>
  async ({ id, tenantId, address, payload }, signal) => {
    const body = JSON.stringify(payload);
    const headers = { ...(await sign(tenantId, { id, body })), 'user-agent': 'Fleetgate' };
    const status = await post(address, body, headers, signal).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'private-address') throw new Undeliverable(error.message);
      throw error;
    });
    if (status === GONE) throw new Undeliverable(`status ${status}`);
    if (status < 200 || status >= 300) throw new Error(`status ${status}`);
    return `status ${status}`;
  };
