import { isDeepStrictEqual } from 'node:util';
import { openValue, type Secrets, sealValue } from '../../kernel/secrets/index.ts';
import type { StreamOptions } from '../brokers/index.ts';

/** Options that no answer contains. */
const SECRET_OPTIONS = ['password', 'token', 'key'] as const;
/** Options that do not decide who receives a secret, or how it is protected on its way. */
const WITHOUT_EFFECT_ON_RECEIVER = [
  'batchSize',
  'connections',
  'exchange',
  'format',
  'homeAssistant',
  'inFlight',
  'mandatory',
  'maxLength',
  'retained',
] as const;

/** Receiver of a stream. What an answer shows and what it must not show are stored apart. */
export interface Target {
  /** without a password */
  readonly url: string;
  /** without secrets */
  readonly options: StreamOptions;
  readonly secrets: TargetSecrets;
}

interface TargetSecrets {
  /** password of the URL, percent-encoded as in the URL */
  readonly url?: string;
  readonly options: StreamOptions;
}

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

const pick = (options: StreamOptions, isWanted: (name: string) => boolean): StreamOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => isWanted(name)));

/** `url` as the URL standard reads it: browsers and clients take `https:\\user:pw@host` for a URL with a password, too. */
export function targetOf(url: string, options: StreamOptions): Target {
  const parsed = new URL(url);
  const password = parsed.password;
  parsed.password = '';
  return {
    url: password === '' ? url : parsed.href,
    options: pick(options, (name) => !isOneOf(SECRET_OPTIONS, name)),
    secrets: {
      ...(password === '' ? {} : { url: password }),
      options: pick(options, (name) => isOneOf(SECRET_OPTIONS, name)),
    },
  };
}

/** URL and options with their secrets, for the client of the receiver. */
export function withSecrets({ url, options, secrets }: Target): { url: string; options: StreamOptions } {
  const all = { ...options, ...secrets.options };
  if (secrets.url === undefined) return { url, options: all };
  const parsed = new URL(url);
  parsed.password = secrets.url;
  return { url: parsed.href, options: all };
}

/**
 * The target after a change. Stored secrets stay only if the URL and every option that decides who receives them, and how
 * they are protected, stay: otherwise they are to be given again.
 */
export function changeTarget(before: Target, given: { url?: string | undefined; options?: StreamOptions | undefined }) {
  const url = given.url ?? before.url;
  const after = targetOf(url, given.options ?? before.options);
  if (!isDeepStrictEqual(receiverOf(after), receiverOf(before))) return after;
  const password = after.secrets.url ?? before.secrets.url;
  return {
    ...after,
    secrets: {
      ...(password === undefined ? {} : { url: password }),
      options: { ...before.secrets.options, ...after.secrets.options },
    },
  };
}

/** The URL and every option that decides who receives the secrets, and how they are protected. */
const receiverOf = ({ url, options }: Target) => ({
  url,
  options: pick(options, (name) => !isOneOf(WITHOUT_EFFECT_ON_RECEIVER, name)),
});

export const sealTarget = (secrets: Secrets, id: string, target: Target): string =>
  sealValue(secrets, 'streamTarget', id, JSON.stringify(target));

export function openTarget(secrets: Secrets, id: string, sealed: string): Target {
  const stored = JSON.parse(openValue(secrets, 'streamTarget', id, sealed)) as Omit<Target, 'secrets'> &
    Partial<Target>;
  // version 0.1 stored secrets within URL and options
  return stored.secrets === undefined ? targetOf(stored.url, stored.options) : (stored as Target);
}
