import { openValue, type Secrets, sealValue } from '../../platform/secrets/index.ts';
import type { StreamOptions } from '../../streams/index.ts';

/** What is stored of a target, encrypted. */
export interface Target {
  readonly url: string;
  readonly options: StreamOptions;
}

/** Options that no answer contains. */
export const SECRET_OPTIONS = ['password', 'token', 'key'] as const;

export const sealTarget = (secrets: Secrets, id: string, target: Target): string =>
  sealValue(secrets, 'streamTarget', id, JSON.stringify(target));

export const openTarget = (secrets: Secrets, id: string, sealed: string): Target =>
  JSON.parse(openValue(secrets, 'streamTarget', id, sealed)) as Target;

/** The URL without its password. */
export const withoutPassword = (url: string): string => url.replace(/^([a-z]+:\/\/[^/@:]*):[^/@]*@/, '$1:***@');

export const withoutSecrets = (options: StreamOptions): StreamOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !(SECRET_OPTIONS as readonly string[]).includes(name)));
