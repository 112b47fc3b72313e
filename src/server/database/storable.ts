/** PostgreSQL's text holds no U+0000 and no half of a surrogate pair; both become U+FFFD. */
export function storableText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

/** JSON text of a value, readable by PostgreSQL as json and jsonb. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // all characters that could be refused are written as \uXXXX
  return json.includes('\\u') ? JSON.stringify(cleaned(value)) : json;
}

const cleanText = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleaned(inner)]));
}
