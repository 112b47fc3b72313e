import { useSession } from '../session.tsx';

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly values: readonly T[];
  /** as the URL has it; any other value is none */
  readonly value: string | undefined;
  readonly onChange: (value: T | undefined) => void;
  /** how a value is shown; otherwise it is shown itself */
  readonly text?: (value: T) => string;
  /** how "no restriction" is shown; otherwise with the label */
  readonly all?: string;
}

/** One restriction of a list. The empty value is "all". */
export function Choice<T extends string>({ label, values, value, onChange, text, all }: ChoiceProps<T>) {
  const { t } = useSession();
  return (
    <select
      aria-label={label}
      value={values.find((each) => each === value) ?? ''}
      onChange={(event) => onChange(values.find((each) => each === event.target.value))}
    >
      <option value="">{all ?? `${label}: ${t('map.all')}`}</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {text === undefined ? each : text(each)}
        </option>
      ))}
    </select>
  );
}
