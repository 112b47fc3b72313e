import { createHmac, randomBytes } from 'node:crypto';

/** `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Headers of a signed request (standardwebhooks.com): HMAC-SHA256, by the bytes behind `whsec_`, over id, time stamp
 * and body. The receiver refuses time stamps older than a few minutes, to prevent replay.
 */
export function signatureHeaders(
  secret: string,
  message: { readonly id: string /** epoch ms */; readonly at: number; readonly body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(message.at / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`).digest('base64');
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
