import { en, type Key } from './en.ts';

/** The words of a key where the dictionary has it, otherwise a text of the API as it is. */
export const wordsOr = (key: string, text: string, t: (key: Key) => string): string =>
  Object.hasOwn(en, key) ? t(key as Key) : text;

/** A title of a protocol in the language of the user where it is a known one, otherwise as the protocol has it. */
export function titleIn(
  language: 'en' | 'it',
  { title }: { readonly title: string },
  italian: Readonly<Record<string, string>>,
): string {
  return language === 'it' && Object.hasOwn(italian, title) ? italian[title]! : title;
}
