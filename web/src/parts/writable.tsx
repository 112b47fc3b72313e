import type { ReactNode } from 'react';

interface WritableProps {
  readonly isAllowed: boolean;
  /** why the fields cannot be changed */
  readonly reason: string;
  readonly children: ReactNode;
}

/** Fields of a form. Whoever may not submit it sees what they contain, and why they cannot be changed. */
export function Writable({ isAllowed, reason, children }: WritableProps) {
  return (
    <>
      {!isAllowed && <p className="wide notice-inline">{reason}</p>}
      <fieldset className="as-is" disabled={!isAllowed}>
        {children}
      </fieldset>
    </>
  );
}
