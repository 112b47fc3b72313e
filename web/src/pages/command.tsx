import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api, type Command } from '../api.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Loaded, Problem } from '../parts/problem.tsx';
import { CommandStatus, commandStatusKey } from '../parts/status.tsx';
import { useSession } from '../session.tsx';
import { eventText, reasonText } from './commands/reason.ts';
import { useCommandEvents, useReasons } from './commands/use-commands.ts';

const route = getRouteApi('/commands/$id');

export function CommandPage() {
  const { id } = route.useParams();
  const { t } = useSession();
  useCommandEvents();
  const command = useQuery({
    queryKey: ['commands', 'one', id],
    queryFn: () => answerOf(api.GET('/v1/gprsCommands/{commandId}', { params: { path: { commandId: id } } })),
  });
  return (
    <Loaded query={command} waiting={<p className="notice">{t('loading')}</p>}>
      {(known) => <Known command={known} />}
    </Loaded>
  );
}

function Known({ command }: { command: Command }) {
  const { t, time, may } = useSession();
  const { commandId, imei, status, history } = command;
  const reasons = useReasons(status === 'pending' ? imei : undefined);
  return (
    <div className="page">
      <h1>
        <code>{command.gprsCommand ?? command.type}</code> <CommandStatus status={status} />
      </h1>
      <dl className="card">
        <dt>{t('vehicle.device')}</dt>
        <dd>
          <Link to="/commands" search={{ imei }}>
            {imei}
          </Link>
        </dd>
        {status === 'pending' && (
          <>
            <dt>{t('command.reason')}</dt>
            <dd>{reasonText(t, reasons.data?.get(commandId))}</dd>
          </>
        )}
        <dt>{t('command.answer')}</dt>
        <dd className="answer">{command.response ?? command.error ?? t('vehicle.none')}</dd>
        {command.mayHaveExecuted && status !== 'acknowledged' && (
          <>
            <dt>{t('command.status')}</dt>
            <dd>{t('command.mayHaveExecuted')}</dd>
          </>
        )}
        <dt>{t('command.attempts')}</dt>
        <dd>
          {command.attempts} / {command.maxAttempts}
        </dd>
        <dt>{t('command.by')}</dt>
        <dd>{command.createdBy}</dd>
        <dt>{t('command.created')}</dt>
        <dd>{time(command.createdAt)}</dd>
        <dt>{t('command.expires')}</dt>
        <dd>{time(command.expiresAt)}</dd>
      </dl>
      {may('commands:write') && <Actions command={command} />}
      <h2>{t('command.history')}</h2>
      <ol className="history">
        {history.map(({ at, to, reason, actor }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added at the end
          <li key={index}>
            <time dateTime={at}>{time(at)}</time> {to !== null && <strong>{t(commandStatusKey(to))}</strong>}{' '}
            {eventText(t, reason)} <span className="quiet">{actor}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const OPEN: readonly Command['status'][] = ['pending', 'sending', 'sent'];
const AGAIN: readonly Command['status'][] = ['failed', 'expired', 'unknown'];

function Actions({ command: { commandId, imei, status } }: { command: Command }) {
  const { t } = useSession();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    setAsking(false);
    setProblem(undefined);
    try {
      await action();
      await queries.invalidateQueries({ queryKey: ['commands'] });
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const cancel = () => answerOf(api.DELETE('/v1/gprsCommands/{commandId}', { params: { path: { commandId } } }));
  const again = () =>
    answerOf(
      api.PUT('/v1/gprsCommands/{target}/reset', {
        params: { path: { target: imei } },
        body: { commandIds: [commandId] },
      }),
    );
  return (
    <p className="actions">
      {OPEN.includes(status) && (
        <button type="button" onClick={() => setAsking(true)}>
          {t('command.cancel')}
        </button>
      )}
      {AGAIN.includes(status) && (
        <button type="button" onClick={() => void run(again)}>
          {t('command.requeue')}
        </button>
      )}
      {problem !== undefined && <Problem error={problem} />}
      {isAsking && (
        <Confirm text={t('command.confirmCancel')} onYes={() => void run(cancel)} onNo={() => setAsking(false)} />
      )}
    </p>
  );
}
