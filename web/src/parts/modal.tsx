import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

const STOPS =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary';

interface ModalProps {
  readonly label: string;
  /** it was closed by Escape */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog that keeps the focus until it is closed, and then returns it to where it was. */
export function Modal({ label, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      const isThere = before instanceof HTMLElement && before.isConnected && !before.matches(':disabled');
      // what opened it may have gone with the row that it was part of
      (isThere ? before : document.getElementById('content'))?.focus();
    };
  }, []);
  const keep = (event: KeyboardEvent): void => {
    if (event.key !== 'Tab') return;
    const stops = [...dialog.current!.querySelectorAll<HTMLElement>(STOPS)].filter((each) => each.checkVisibility());
    const from = event.shiftKey ? stops[0] : stops.at(-1);
    if (document.activeElement !== from && stops.includes(document.activeElement as HTMLElement)) return;
    event.preventDefault();
    (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
  };
  return (
    <dialog ref={dialog} onClose={onClose} onKeyDown={keep} aria-label={label}>
      {children}
    </dialog>
  );
}
