import { commandParametersIt } from '../../i18n/command-parameters-it.ts';

/** In the language of the user where the parameter is a known one, otherwise as its protocol describes it. */
export function parameterTitle(language: 'en' | 'it', { title }: { readonly title: string }): string {
  return language === 'it' && Object.hasOwn(commandParametersIt, title) ? commandParametersIt[title]! : title;
}
