/** A title of a protocol in the language of the user where it is a known one, otherwise as the protocol has it. */
export function titleIn(
  language: 'en' | 'it',
  { title }: { readonly title: string },
  italian: Readonly<Record<string, string>>,
): string {
  return language === 'it' && Object.hasOwn(italian, title) ? italian[title]! : title;
}
