import * as z from 'zod/mini';
import type { Session } from '../session.tsx';

/** Why a value is not valid, in the user's language. */
export function reasonOf(t: Session['t'], issue: z.core.$ZodRawIssue): string {
  const { code } = issue;
  if (code === 'invalid_type') return issue.input === undefined ? t('field.required') : t('field.invalid');
  if (code === 'too_small') {
    const isMissing = issue.origin === 'array' || (issue.origin === 'string' && Number(issue.minimum) <= 1);
    if (isMissing) return t('field.required');
    if (issue.origin === 'string') return t('field.tooShort', { n: Number(issue.minimum) });
    return t('field.tooSmall', { min: String(issue.minimum) });
  }
  if (code === 'too_big') {
    if (issue.origin === 'array') return t('field.tooMany', { n: Number(issue.maximum) });
    if (issue.origin === 'string') return t('field.tooLong', { n: Number(issue.maximum) });
    return t('field.tooBig', { max: String(issue.maximum) });
  }
  return t('field.invalid');
}

/** The fields that are filled in, texts without spaces around them: the body that has members of the same names. */
export function filledIn(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
      const given = typeof value === 'string' ? value.trim() : value;
      if (given === '' || given === undefined) return [];
      const isGroup = typeof given === 'object' && given !== null && !Array.isArray(given);
      return [[name, isGroup ? filledIn(given) : given]];
    }),
  );
}

/** Attributes of an input by which the browser checks what is entered. */
export interface Constraints {
  readonly required?: true;
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
}

function memberOf(schema: z.core.$ZodType, path: string): z.core.$ZodType | undefined {
  return path.split('.').reduce<z.core.$ZodType | undefined>((part, name) => {
    const { def } = (part as z.core.$ZodTypes | undefined)?._zod ?? {};
    return def?.type === 'object' ? def.shape[name] : undefined;
  }, schema);
}

/** A limit of the checks of a schema; undefined if it has none. */
function limitOf(schema: z.core.$ZodTypes, check: string, name: string): number | undefined {
  const checks = (schema._zod.def as { readonly checks?: readonly z.core.$ZodCheck[] }).checks ?? [];
  const found = checks.map((each) => each._zod.def as { check: string; [name: string]: unknown });
  const limit = found.find((each) => each.check === check)?.[name];
  return typeof limit === 'number' ? limit : undefined;
}

/** Limits that the schema has for the member of the body that has the name of the field. */
export function constraintsOf(schema: z.core.$ZodType, path: string): Constraints {
  let member = memberOf(schema, path) as z.core.$ZodTypes | undefined;
  const isRequired = member !== undefined && member._zod.def.type !== 'optional';
  while (member?._zod.def.type === 'optional' || member?._zod.def.type === 'nullable')
    member = member._zod.def.innerType as z.core.$ZodTypes;
  if (member === undefined) return {};
  const { type } = member._zod.def;
  if (type === 'string') {
    const maxLength = limitOf(member, 'max_length', 'maximum');
    return {
      ...(isRequired && !z.safeParse(member, '').success && { required: true }),
      ...(maxLength !== undefined && { maxLength }),
    };
  }
  const [min, max] = [limitOf(member, 'greater_than', 'value'), limitOf(member, 'less_than', 'value')];
  return {
    ...(isRequired && type === 'number' && { required: true }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
}
