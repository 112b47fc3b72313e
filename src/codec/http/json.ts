import type { Draft } from '../draft.ts';
import { CodecError } from '../errors.ts';
import type { AttributeValue } from '../messages.ts';
import { toLatin1 } from '../reader.ts';
import { parseDecimal } from '../text/digits.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const decoder = new TextDecoder();

/** A body in UTF-8. Throws CodecError `bad-text` if it is not JSON. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    throw new CodecError('bad-text', `not JSON: ${toLatin1(body.subarray(0, 40))}`, 0);
  }
}

/** The value as an object. Throws CodecError `bad-value`; `name` is that of the value in the document of the format. */
export function jsonObject(value: unknown, name: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CodecError('bad-value', `${name} is not an object`);
  return value as JsonObject;
}

/** The value as an array. Throws CodecError `bad-value`. */
export function jsonArray(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new CodecError('bad-value', `${name} is not an array`);
  return value;
}

/** A number, or the text of one; undefined for any other value. */
export function jsonNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' ? parseDecimal(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Epoch ms of seconds since 1970; NaN for any other value. */
export const jsonSeconds = (value: unknown): number => (jsonNumber(value) ?? Number.NaN) * 1_000;

/** Text that is not empty; undefined for any other value. */
export const jsonText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** What a member of an object sets. A value of another type sets nothing. */
export type MemberUse = (draft: Draft, value: unknown) => void;

/** A number, or the text of one, times a factor; `whole` drops the fraction. */
export const numberMember =
  (key: string, { times = 1, whole = false } = {}): MemberUse =>
  ({ attributes }, value) => {
    const number = jsonNumber(value);
    if (number !== undefined) attributes[key] = whole ? Math.trunc(number * times) : number * times;
  };

/** Text that is not empty. */
export const textMember =
  (key: string): MemberUse =>
  ({ attributes }, value) => {
    const text = jsonText(value);
    if (text !== undefined) attributes[key] = text;
  };

/** A boolean, or the text of one. */
export const flagMember =
  (key: string): MemberUse =>
  ({ attributes }, value) => {
    if (value === true || value === 'true') attributes[key] = true;
    else if (value === false || value === 'false') attributes[key] = false;
  };

/** The value that the table has for the text of this one. */
export const choiceMember =
  (key: string, table: Readonly<Record<string, AttributeValue>>): MemberUse =>
  ({ attributes }, value) => {
    const name = String(value);
    if (Object.hasOwn(table, name)) attributes[key] = table[name]!;
  };

/** An alarm while the value is true. */
export const alarmMember =
  (alarm: string): MemberUse =>
  (draft, value) => {
    if (value === true) draft.addAlarm(alarm);
  };

/** Reads the members of an object in their order; `other` takes those that the table does not name. */
export function readMembers(
  object: JsonObject,
  table: ReadonlyMap<string, MemberUse>,
  draft: Draft,
  other?: (draft: Draft, name: string, value: unknown) => void,
): void {
  for (const [name, value] of Object.entries(object)) {
    const use = table.get(name);
    if (use !== undefined) use(draft, value);
    else other?.(draft, name, value);
  }
}
