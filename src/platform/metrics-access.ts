import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Token with which the API reads the metrics of its gateways. */
export const internalMetricsToken = (internalKey: string): string =>
  createHmac('sha256', internalKey).update('fleetgate metrics').digest('base64url');

const BEARER = /^Bearer +(\S+) *$/i;
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether the Authorization header contains one of the tokens. */
export function bearsToken(authorization: string | undefined, tokens: readonly string[]): boolean {
  const given = BEARER.exec(authorization ?? '')?.[1];
  return given !== undefined && tokens.some((token) => timingSafeEqual(digest(given), digest(token)));
}
