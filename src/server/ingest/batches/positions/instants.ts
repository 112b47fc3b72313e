const digit = (text: string, at: number): number => text.charCodeAt(at) - 48;
const two = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1);

// Records of one device lie close together: their day is looked up once.
let cachedDate = '';
let cachedDay = 0;

/** RFC 3339 (already checked) → epoch ms, whole. */
export function parseInstant(text: string): number {
  const { length } = text;
  // 2026-01-31T12:00:00Z and 2026-01-31T12:00:00.123Z; other forms are rare
  if ((length !== 20 && length !== 24) || text.charCodeAt(length - 1) !== 90) return Math.floor(Date.parse(text));
  const date = text.slice(0, 10);
  if (date !== cachedDate) {
    cachedDay = Date.parse(date);
    cachedDate = date;
  }
  const seconds = two(text, 11) * 3600 + two(text, 14) * 60 + two(text, 17);
  const ms = length === 24 ? digit(text, 20) * 100 + two(text, 21) : 0;
  return cachedDay + seconds * 1000 + ms;
}
