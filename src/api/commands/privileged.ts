/**
 * Does a text match one of the patterns? A pattern is found anywhere in the text, in either case; `*` stands for
 * anything. No regular expressions: what people write is matched in linear time.
 */
export const matchesPattern = (patterns: readonly string[], texts: readonly string[]): boolean =>
  texts.some((text) => patterns.some((pattern) => matches(text.toLowerCase(), pattern.toLowerCase())));

function matches(text: string, pattern: string): boolean {
  let from = 0;
  let isAnything = true;
  for (const part of pattern.split('*')) {
    if (part === '') continue;
    isAnything = false;
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return !isAnything;
}

const HEX = /^(?:[0-9a-f]{2})+$/i;

/** A command's text as it is, and what its bytes say where it is hex. */
export const decodedTexts = (text: string): string[] =>
  HEX.test(text) ? [text, Buffer.from(text, 'hex').toString('latin1')] : [text];
