import { CodecError } from '../errors.ts';

/** Names with their values, each in the order in which it first came. */
export type Query = ReadonlyMap<string, readonly string[]>;

const MAX_PARAMETERS = 1_000;

/** `a=1&b=2`, `;` as `&`, `+` as a blank, percent-encoded UTF-8. Throws CodecError `bad-text`. */
export function parseForm(text: string): Query {
  const found = new Map<string, string[]>();
  if (text === '') return found;
  const pairs = text.split(/[&;]/, MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) throw new CodecError('bad-text', `more than ${MAX_PARAMETERS} parameters`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = unescaped(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : unescaped(pair.slice(equals + 1));
    const values = found.get(name);
    if (values === undefined) found.set(name, [value]);
    else values.push(value);
  }
  return found;
}

/** Parameters behind the `?` of a path, up to a `#`. Throws CodecError `bad-text`. */
export function parseQuery(uri: string): Query {
  const hash = uri.indexOf('#');
  const path = hash < 0 ? uri : uri.slice(0, hash);
  const mark = path.indexOf('?');
  return parseForm(mark < 0 ? '' : path.slice(mark + 1));
}

function unescaped(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new CodecError('bad-text', `not percent-encoded UTF-8: ${text.slice(0, 40)}`);
  }
}
