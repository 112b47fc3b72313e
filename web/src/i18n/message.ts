export type Values = Readonly<Record<string, string | number>>;

const PLACE = /\{(\w+)(?:, (number|plural),?((?: \w+ \{[^{}]*\})*))?\}/g;
const FORM = / (\w+) \{([^{}]*)\}/g;

const rules = new Map<string, Intl.PluralRules>();
const numbers = new Map<string, Intl.NumberFormat>();

function cached<T>(known: Map<string, T>, locale: string, make: () => T): T {
  const found = known.get(locale) ?? make();
  known.set(locale, found);
  return found;
}

/**
 * A text with its values, in a part of the ICU message syntax: `{name}` as it is, `{n, number}` as a number of the locale,
 * `{n, plural, one {# vehicle} other {# vehicles}}` in the form that the locale has for the number, which replaces `#`.
 */
export function formatMessage(text: string, values: Values, locale: string): string {
  return text.replace(PLACE, (_, name: string, kind: 'number' | 'plural' | undefined, forms: string) => {
    const value = values[name];
    if (kind === undefined || typeof value !== 'number') return String(value ?? '');
    const count = cached(numbers, locale, () => new Intl.NumberFormat(locale)).format(value);
    if (kind === 'number') return count;
    const category = cached(rules, locale, () => new Intl.PluralRules(locale)).select(value);
    const all = new Map([...forms.matchAll(FORM)].map(([, key, form]) => [key, form]));
    return (all.get(category) ?? all.get('other') ?? '#').replaceAll('#', count);
  });
}
