/** What a device answered, as it is reported: text where it is some, otherwise bytes. */
export interface AnswerContent {
  readonly text?: string | undefined;
  readonly bytes?: Uint8Array | undefined;
}

export interface CharsetSources {
  /** option `charset` of the device */
  readonly device?: unknown;
  /** of the protocol, where its answers may be text or bytes */
  readonly protocol?: string | undefined;
}

/**
 * Decodes an answer by the character set of the device, or else of its protocol. Text that the protocol has read byte
 * by byte is decoded again, as UTF-8 if no character set is known. What is no text in that character set stays as it is.
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

/** Characters of one byte each, some of them beyond ASCII. */
function hasHighBytes(text: string): boolean {
  let most = 0;
  for (let i = 0; i < text.length; i++) most = Math.max(most, text.charCodeAt(i));
  return most >= 0x80 && most <= 0xff;
}

const CONTROL = /(?![\t\r\n])\p{Cc}/u;

/** Undefined for bytes that are no text. */
function textIn(bytes: Uint8Array, charset: string): string | undefined {
  try {
    const text = decoderOf(charset).decode(bytes);
    return CONTROL.test(text) ? undefined : text.trim();
  } catch {
    // an unknown character set, or bytes that it has no character for
    return undefined;
  }
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  const found = decoders.get(charset) ?? new TextDecoder(charset, { fatal: true });
  decoders.set(charset, found);
  return found;
}
