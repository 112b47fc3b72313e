import type { ReactNode } from 'react';
import { Choice } from './choice.tsx';

export { Choice };

/** What restricts the list of a page: part of its URL. */
export function Filters({ children }: { children: ReactNode }) {
  return <search className="filters">{children}</search>;
}

interface SearchFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  /** undefined: no restriction */
  readonly onChange: (value: string | undefined) => void;
  readonly isNumeric?: boolean;
}

export function SearchField({ label, value, onChange, isNumeric = false }: SearchFieldProps) {
  return (
    <input
      type="search"
      inputMode={isNumeric ? 'numeric' : 'search'}
      aria-label={label}
      placeholder={label}
      value={value ?? ''}
      onChange={(event) => onChange((isNumeric ? event.target.value.trim() : event.target.value) || undefined)}
    />
  );
}
