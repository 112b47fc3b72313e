import { createHmac } from 'node:crypto';

/** HMAC-SHA-256 in lower-case hexadecimal, `digits` (64 at most) of it. Key and text are UTF-8. */
export const hmacHex = (key: string, text: string, digits = 64): string =>
  createHmac('sha256', key).update(text).digest('hex').slice(0, digits);
