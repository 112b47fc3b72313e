import { createRecentlyUsed } from '../../platform/recently-used.ts';
/** Answer of a device: text, or bytes if it is not text. */
export interface AnswerContent {
  readonly text?: string | undefined;
  readonly bytes?: Uint8Array | undefined;
}

export interface CharsetSources {
  /** option `charset` of the device */
  readonly device?: unknown;
  /** character set of the protocol, if its answers may be text or bytes */
  readonly protocol?: string | undefined;
}

/**
 * Decodes an answer by the character set of the device, or else of its protocol. Text that the protocol has read byte
 * by byte is decoded again, as UTF-8 if no character set is known. Bytes that are invalid in the character set stay
 * unchanged.
 */
export function decodeAnswer({ text, bytes }: AnswerContent, { device, protocol }: CharsetSources): AnswerContent {
  const known = typeof device === 'string' ? device : protocol;
  if (text !== undefined) {
    if (!hasHighBytes(text)) return { text };
    return { text: textIn(Buffer.from(text, 'latin1'), known ?? 'utf-8') ?? text };
  }
  if (bytes === undefined) return {};
  if (known === undefined) return { bytes };
  const decoded = textIn(bytes, known);
  return decoded === undefined ? { bytes } : { text: decoded };
}

/** Whether the text is latin1 with non-ASCII characters. */
function hasHighBytes(text: string): boolean {
  let most = 0;
  for (let i = 0; i < text.length; i++) most = Math.max(most, text.charCodeAt(i));
  return most >= 0x80 && most <= 0xff;
}

const CONTROL = /(?![\t\r\n])\p{Cc}/u;

/** Undefined if the bytes are not valid text. */
function textIn(bytes: Uint8Array, charset: string): string | undefined {
  try {
    const text = decoderOf(charset).decode(bytes);
    return CONTROL.test(text) ? undefined : text.trim();
  } catch {
    // an unknown character set, or bytes that it has no character for
    return undefined;
  }
}

/** There are 40 encodings; devices' options spell their labels in any case. */
const MAX_CACHED_LABELS = 1_000;
const decoderOf = createRecentlyUsed(MAX_CACHED_LABELS, (charset: string) => new TextDecoder(charset, { fatal: true }));
