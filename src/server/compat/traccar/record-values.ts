import type { Data } from './ids/service.ts';

export type Values = Readonly<Record<string, unknown>>;

/** The members of a body that only clients use. */
export function pick(body: Values, names: readonly string[]): Data {
  return Object.fromEntries(
    names.flatMap((name) => (body[name] === undefined || body[name] === null ? [] : [[name, body[name]]])),
  );
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number(value ?? 0) || 0);

/** Attributes of a record, as a client has written them. */
export const attributesOf = (data: Data | undefined): object => (data?.['attributes'] as object | undefined) ?? {};
