import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';
import type { FieldProps } from './body-form.ts';

export interface Described {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

interface LabelledProps {
  readonly label: ReactNode;
  readonly problem?: string | undefined;
  readonly note?: ReactNode;
  readonly className?: string | undefined;
  readonly children: (described: Described) => ReactNode;
}

/** What is wrong with the value of a field. */
export function Wrong({ id, problem }: { readonly id?: string; readonly problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <span className="wrong" id={id} role="alert">
      {problem}
    </span>
  );
}

/** A field with its label, its note, and what is wrong with its value: descriptions, and not part of its name. */
export function Labelled({ label, problem, note, className, children }: LabelledProps) {
  const id = useId();
  const described = [note !== undefined && `${id}-note`, problem !== undefined && `${id}-problem`].filter(Boolean);
  return (
    <div className={className === undefined ? 'labelled' : `labelled ${className}`}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem !== undefined,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
      })}
      {note !== undefined && (
        <span className="quiet" id={`${id}-note`}>
          {note}
        </span>
      )}
      <Wrong id={`${id}-problem`} problem={problem} />
    </div>
  );
}

interface OwnProps extends FieldProps {
  readonly label: ReactNode;
  readonly note?: ReactNode;
  /** of the field with its label: `wide` for all columns of the form */
  readonly className?: string;
}

/** An input with its label. */
export function TextField({
  label,
  note,
  className,
  problem,
  ...input
}: OwnProps & Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps>) {
  return (
    <Labelled label={label} note={note} className={className} problem={problem}>
      {(described) => <input {...described} {...input} />}
    </Labelled>
  );
}

/** Text of several lines with its label. */
export function TextArea({
  label,
  note,
  className,
  problem,
  min,
  max,
  ...area
}: OwnProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof FieldProps>) {
  return (
    <Labelled label={label} note={note} className={className} problem={problem}>
      {(described) => <textarea {...described} {...area} />}
    </Labelled>
  );
}

/** A choice with its label. The options are its children. */
export function SelectField({
  label,
  note,
  className,
  problem,
  min,
  max,
  maxLength,
  children,
  ...select
}: OwnProps & { readonly children: ReactNode }) {
  return (
    <Labelled label={label} note={note} className={className} problem={problem}>
      {(described) => (
        <select {...described} {...select}>
          {children}
        </select>
      )}
    </Labelled>
  );
}

interface CheckProps extends FieldProps {
  readonly label: ReactNode;
  readonly value?: string;
}

/** A box that is ticked or not, before its label. */
export function CheckField({ label, problem, required, min, max, maxLength, ...input }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" aria-invalid={problem !== undefined} {...input} />
      {label}
    </label>
  );
}
