import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';

interface Wanted {
  readonly imei: string;
  readonly text: string;
  /** the same for every attempt: a request that is repeated queues nothing twice */
  readonly key: string;
}

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('');

/** Every command is confirmed: which ones are dangerous depends on the model of the device. */
export function SendForm({ imei }: { imei: string | undefined }) {
  const { t } = useSession();
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<Wanted>();
  const [queued, setQueued] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setWanted({ imei: String(form.get('imei')).trim(), text: String(form.get('text')), key: newKey() });
  };
  const send = async ({ imei, text, key }: Wanted): Promise<void> => {
    setWanted(undefined);
    setProblem(undefined);
    setQueued(undefined);
    try {
      const body = { imei, gprsCommand: text };
      const { commandId } = await answerOf(
        api.POST('/v1/gprsCommands/', { body, headers: { 'idempotency-key': key } }),
      );
      setQueued(commandId);
      await queries.invalidateQueries({ queryKey: ['commands'] });
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form className="card send" onSubmit={submit} aria-label={t('command.send')}>
      <label>
        {t('command.imei')}
        <input key={imei} name="imei" inputMode="numeric" required defaultValue={imei ?? ''} />
      </label>
      <label className="wide">
        {t('command.text')}
        <input name="text" required autoComplete="off" spellCheck={false} />
      </label>
      <button type="submit" className="primary">
        {t('command.send')}
      </button>
      {problem !== undefined && <Problem error={problem} />}
      {queued !== undefined && (
        <p role="status">
          <Link to="/commands/$id" params={{ id: queued }}>
            {t('command.queued', { id: queued })}
          </Link>
        </p>
      )}
      {wanted !== undefined && (
        <Confirm
          text={t('command.confirmSend', { text: wanted.text, imei: wanted.imei })}
          onYes={() => void send(wanted)}
          onNo={() => setWanted(undefined)}
        />
      )}
    </form>
  );
}
