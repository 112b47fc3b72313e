import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { answerOf, api, type Command } from '../api.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Problem } from '../parts/problem.tsx';
import { CommandStatus, commandStatusKey } from '../parts/status.tsx';
import { useSession } from '../session.tsx';
import { reasonText } from './commands/reason.ts';
import { SendForm } from './commands/send-form.tsx';

const route = getRouteApi('/commands');
const STATUSES = ['pending', 'sending', 'sent', 'acknowledged', 'failed', 'expired', 'unknown', 'cancelled'] as const;
const PAGE = 50;
const REASONS = 500;

/** Commands change while they are looked at: the event stream says when. */
export function useCommandEvents(): void {
  const { fleet } = useSession();
  const queries = useQueryClient();
  useEffect(
    () =>
      fleet.onEvent(({ type }) => {
        if (type === 'command' || type === 'session' || type === 'gap') {
          void queries.invalidateQueries({ queryKey: ['commands'] });
        }
      }),
    [fleet, queries],
  );
}

/** Why commands wait, by their id. */
export function useReasons(imei: string | undefined) {
  return useQuery({
    queryKey: ['commands', 'reasons', imei],
    queryFn: async () => {
      const { explain } =
        imei === undefined
          ? await answerOf(api.GET('/v1/gprsCommands/pending', { params: { query: { limit: REASONS } } }))
          : await answerOf(api.GET('/v1/gprsCommands/pending/{imei}', { params: { path: { imei } } }));
      return new Map(explain.map(({ commandId, reason }) => [commandId, reason]));
    },
    retry: false,
  });
}

export function CommandsPage() {
  const { t, may } = useSession();
  const { imei, status } = route.useSearch();
  const navigate = useNavigate({ from: '/commands' });
  const change = (more: { imei?: string | undefined; status?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const isWhole = imei === undefined || /^\d{4,17}$/.test(imei);
  useCommandEvents();
  const reasons = useReasons(isWhole ? imei : undefined);
  const list = useInfiniteQuery({
    queryKey: ['commands', 'list', imei, status],
    enabled: isWhole,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const query = {
        limit: PAGE,
        ...(imei && { imei }),
        ...(status && { status }),
        ...(pageParam && { cursor: pageParam }),
      };
      return answerOf(api.GET('/v1/gprsCommands/', { params: { query } }));
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const commands = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <div className="page">
      <h1>{t('command.title')}</h1>
      {may('commands:write') && <SendForm imei={imei} />}
      <div className="filters actions">
        <input
          type="search"
          inputMode="numeric"
          aria-label={t('command.imei')}
          placeholder={t('command.imei')}
          value={imei ?? ''}
          onChange={(event) => change({ imei: event.target.value.trim() || undefined })}
        />
        <select
          aria-label={t('command.status')}
          value={status ?? ''}
          onChange={(event) => change({ status: event.target.value || undefined })}
        >
          <option value="">
            {t('command.status')}: {t('command.all')}
          </option>
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {t(commandStatusKey(each))}
            </option>
          ))}
        </select>
        {imei !== undefined && isWhole && may('commands:write') && <Flush imei={imei} />}
      </div>
      {list.isError && <Problem error={list.error.message} retry={() => void list.refetch()} />}
      {list.isSuccess && commands.length === 0 && <p>{t('command.none')}</p>}
      {commands.length > 0 && <CommandTable commands={commands} reasons={reasons.data ?? new Map()} />}
      {list.hasNextPage && (
        <button type="button" onClick={() => void list.fetchNextPage()}>
          {t('command.more')}
        </button>
      )}
    </div>
  );
}

function CommandTable({ commands, reasons }: { commands: readonly Command[]; reasons: ReadonlyMap<string, string> }) {
  const { t, time } = useSession();
  return (
    <div className="scroll">
      <table className="cards">
        <thead>
          <tr>
            <th>{t('command.text')}</th>
            <th>{t('vehicle.device')}</th>
            <th>{t('command.status')}</th>
            <th>{t('command.reason')}</th>
            <th>{t('command.answer')}</th>
            <th>{t('command.created')}</th>
          </tr>
        </thead>
        <tbody>
          {commands.map((command) => (
            <tr key={command.commandId}>
              <td>
                <Link to="/commands/$id" params={{ id: command.commandId }}>
                  <code>{command.gprsCommand ?? command.type}</code>
                </Link>
              </td>
              <td>{command.imei}</td>
              <td>
                <CommandStatus status={command.status} />
              </td>
              <td>{reasonText(t, reasons.get(command.commandId))}</td>
              <td className="answer">{command.response ?? command.error ?? ''}</td>
              <td>{time(command.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Flush({ imei }: { imei: string }) {
  const { t } = useSession();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [result, setResult] = useState<{ text: string; isProblem: boolean }>();
  const flush = async (): Promise<void> => {
    setAsking(false);
    try {
      const params = { path: { target: imei } };
      const answer = await answerOf(api.DELETE('/v1/gprsCommands/{target}/reset', { params }));
      const values = { n: answer.cancelled, skipped: answer.skippedInFlight };
      setResult({ text: t('command.cancelled', values), isProblem: false });
      await queries.invalidateQueries({ queryKey: ['commands'] });
    } catch (error) {
      setResult({ text: (error as Error).message, isProblem: true });
    }
  };
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {t('command.flush')}
      </button>
      {result?.isProblem === true && <Problem error={result.text} />}
      {result?.isProblem === false && <span role="status">{result.text}</span>}
      {isAsking && (
        <Confirm text={t('command.confirmFlush', { imei })} onYes={() => void flush()} onNo={() => setAsking(false)} />
      )}
    </>
  );
}
