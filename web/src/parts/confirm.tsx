import { useEffect, useRef } from 'react';
import { useSession } from '../session.tsx';

/** Asks before something is done that cannot be taken back. */
export function Confirm({ text, onYes, onNo }: { text: string; onYes: () => void; onNo: () => void }) {
  const { t } = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onNo} aria-label={t('command.confirm')}>
      <p>{text}</p>
      <div className="actions">
        <button type="button" className="primary" onClick={onYes}>
          {t('command.confirm')}
        </button>
        <button type="button" onClick={onNo}>
          {t('command.keep')}
        </button>
      </div>
    </dialog>
  );
}
