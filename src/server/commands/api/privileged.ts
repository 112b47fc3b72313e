/**
 * Whether a text contains one of the patterns, ignoring case; `*` matches any characters. Not a regular expression,
 * so that user patterns are matched in linear time.
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
