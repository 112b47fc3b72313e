import { useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { useChange } from '../../parts/action.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { useSession } from '../../session.tsx';

interface Props {
  readonly imei: string;
  readonly blockedAt: string | null;
  readonly blockedNote: string | null;
}

/** A device that was stolen or is misused is not admitted until it is unblocked. */
export function Blocking({ imei, blockedAt, blockedNote }: Props) {
  const { t, time, may } = useSession();
  const [isAsking, setAsking] = useState(false);
  const [note, setNote] = useState('');
  const params = { path: { imei } };
  const { run, isRunning, result } = useChange(['device', imei], async (isBlocked: boolean) => {
    if (isBlocked) await answerOf(api.PUT('/v1/devices/{imei}/block', { params, body: { note: note.trim() || null } }));
    else await answerOf(api.DELETE('/v1/devices/{imei}/block', { params }));
    return undefined;
  });
  return (
    <section className="card">
      {blockedAt !== null && (
        <p>
          <span className="tag bad">{t('device.blocked')}</span> {time(blockedAt)} {blockedNote}
        </p>
      )}
      {may('devices:write') && blockedAt === null && (
        <p className="actions">
          <label>
            {t('device.blockNote')}{' '}
            <input value={note} maxLength={500} onChange={(event) => setNote(event.target.value)} />
          </label>
          <button type="button" disabled={isRunning} onClick={() => setAsking(true)}>
            {t('device.block')}
          </button>
        </p>
      )}
      {may('devices:write') && blockedAt !== null && (
        <button type="button" disabled={isRunning} onClick={() => void run(false)}>
          {t('device.unblock')}
        </button>
      )}
      {isAsking && (
        <Confirm
          text={t('device.blockText', { imei })}
          onNo={() => setAsking(false)}
          onYes={() => {
            setAsking(false);
            void run(true);
          }}
        />
      )}
      {result}
    </section>
  );
}
