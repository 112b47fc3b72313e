import { useState } from 'react';
import { Modal } from '../../parts/modal.tsx';
import { useSession } from '../../session.tsx';
import type { Recipient } from './types.ts';

export interface Checked {
  readonly devices: number;
  readonly accepted: number;
  readonly privileged: number;
  readonly refused: readonly { readonly imei: string; readonly detail: string }[];
}

interface ConfirmSendProps {
  readonly recipient: Recipient;
  readonly text: string;
  readonly checked: Checked;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Says what will happen before a command is sent. A privileged one is confirmed by naming its recipient. */
export function ConfirmSend({ recipient, text, checked, onYes, onNo }: ConfirmSendProps) {
  const { t, may } = useSession();
  const [typed, setTyped] = useState('');
  const { devices, accepted, privileged, refused } = checked;
  const isPrivileged = privileged > 0;
  const isDenied = isPrivileged && !may('commands:privileged');
  const hint = 'imei' in recipient ? recipient.imei.slice(-4) : recipient.group;
  const isReady = accepted > 0 && !isDenied && (!isPrivileged || typed.trim() === hint);
  return (
    <Modal label={t('command.confirm')} onClose={onNo}>
      {accepted > 0 && (
        <p>
          {'imei' in recipient
            ? t('command.confirmSend', { text, imei: recipient.imei })
            : t('send.confirmGroup', { text, n: accepted, all: devices, group: recipient.group })}
        </p>
      )}
      <Refused refused={refused} count={devices - accepted} isAll={accepted === 0} />
      {isPrivileged && <p className="problem">{t(isDenied ? 'send.noScope' : 'send.privileged')}</p>}
      {isPrivileged && !isDenied && (
        <label className="typed">
          {t('imei' in recipient ? 'send.typeDevice' : 'send.typeGroup', { hint })}
          <input value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
        </label>
      )}
      <div className="actions">
        <button type="button" className="primary" disabled={!isReady} onClick={onYes}>
          {t('command.confirm')}
        </button>
        <button type="button" onClick={onNo}>
          {t('command.keep')}
        </button>
      </div>
    </Modal>
  );
}

function Refused({ refused, count, isAll }: { refused: Checked['refused']; count: number; isAll: boolean }) {
  const { t } = useSession();
  if (isAll && refused.length === 0) return <p>{t('send.noTakers')}</p>;
  if (refused.length === 0) return null;
  return (
    <details open={isAll}>
      <summary>{t('send.refused', { n: count })}</summary>
      <ul>
        {refused.map(({ imei, detail }) => (
          <li key={imei}>
            {imei}: {detail}
          </li>
        ))}
      </ul>
    </details>
  );
}
