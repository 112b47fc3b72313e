import { useSession } from '../session.tsx';
import { Modal } from './modal.tsx';

/** Asks before something is done that cannot be taken back. */
export function Confirm({ text, onYes, onNo }: { text: string; onYes: () => void; onNo: () => void }) {
  const { t } = useSession();
  return (
    <Modal label={t('command.confirm')} onClose={onNo}>
      <p>{text}</p>
      <div className="actions">
        <button type="button" className="primary" onClick={onYes}>
          {t('command.confirm')}
        </button>
        <button type="button" onClick={onNo}>
          {t('command.keep')}
        </button>
      </div>
    </Modal>
  );
}
