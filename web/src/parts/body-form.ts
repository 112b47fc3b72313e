import { zodResolver } from '@hookform/resolvers/zod';
import type { FormEvent } from 'react';
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  get,
  type Resolver,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import * as z from 'zod/mini';
import { useSession } from '../session.tsx';
import { type Constraints, constraintsOf, filledIn, reasonOf } from './body.ts';

// the page has a strict Content-Security-Policy: no code is made at run time
z.config({ jitless: true });

/** Props of an input; see fields.tsx. */
export interface FieldProps extends Constraints, Pick<UseFormRegisterReturn, 'name' | 'onBlur' | 'onChange' | 'ref'> {
  /** why the value is not valid */
  readonly problem: string | undefined;
}

/** What a schema of bodies.ts has checked. */
export type BodyOf<S extends z.core.$ZodType> = z.output<S>;

interface BodyFormOptions<F extends FieldValues, S extends z.core.$ZodType> {
  /** of the body that the form sends: one of bodies.ts */
  readonly schema: S;
  readonly defaultValues: F;
  /** the body that the fields amount to; by default filledIn */
  readonly toBody?: (fields: F) => unknown;
}

export type BodyForm<F extends FieldValues, S extends z.core.$ZodType> = UseFormReturn<F, unknown, z.output<S>> & {
  /** Props of the field of this name. A number is read as one; an empty field is the text ''. */
  readonly field: (name: FieldPath<F>, kind?: 'number') => FieldProps;
  /** The handler of the form: sends a body that is valid. */
  readonly sends: (send: (body: z.output<S>) => unknown) => (event: FormEvent) => void;
};

/** The first reason in the errors of a field: those of a list are of its entries. */
function problemOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string') return error.message;
  return Object.values(error)
    .map((each) => problemOf(each))
    .find((each) => each !== undefined);
}

const numberIn = (text: unknown): unknown => (text === '' || typeof text !== 'string' ? text : Number(text));

/**
 * A form that sends the body of a request. The schema of the API checks the body, and what is wrong with it is shown at
 * the field that has the name of the member.
 */
export function useBodyForm<F extends FieldValues, S extends z.core.$ZodType>({
  schema,
  defaultValues,
  toBody = filledIn,
}: BodyFormOptions<F, S>): BodyForm<F, S> {
  const { t } = useSession();
  const check = zodResolver(schema as z.core.$ZodType<FieldValues, FieldValues>, {
    error: (issue) => reasonOf(t, issue as z.core.$ZodRawIssue),
  });
  const resolver: Resolver<F, unknown, z.output<S>> = async (fields, context, options) =>
    (await check(toBody(fields) as FieldValues, context, options as never)) as never;
  const form = useForm<F, unknown, z.output<S>>({ resolver, defaultValues: defaultValues as DefaultValues<F> });
  const { errors } = form.formState;
  const field: BodyForm<F, S>['field'] = (name, kind) => {
    const { onBlur, onChange, ref } = form.register(name, kind === 'number' ? { setValueAs: numberIn } : {});
    return {
      name,
      onBlur,
      onChange,
      ref,
      ...constraintsOf(schema, name),
      problem: problemOf(get(errors, name)),
    };
  };
  const sends: BodyForm<F, S>['sends'] = (send) => {
    const submit = form.handleSubmit(async (body) => {
      await send(body);
    });
    return (event) => void submit(event);
  };
  return { ...form, field, sends };
}
