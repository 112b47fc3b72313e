import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { answerOf, api, type Command } from '../api.ts';
import { useAction } from '../parts/action.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Choice, Filters, SearchField } from '../parts/filters.tsx';
import { Listing, Table } from '../parts/listing.tsx';
import { reload } from '../parts/live.ts';
import { usePages } from '../parts/pages.ts';
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
          void reload(queries, ['commands']);
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
  const { imei, status, group, batch } = route.useSearch();
  const navigate = useNavigate({ from: '/commands' });
  const change = (more: Partial<ReturnType<typeof route.useSearch>>): void =>
    void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const isWhole = imei === undefined || /^\d{4,17}$/.test(imei);
  useCommandEvents();
  const reasons = useReasons(isWhole ? imei : undefined);
  const list = usePages(
    ['commands', 'list', imei, status, batch],
    (cursor) => {
      const query = {
        limit: PAGE,
        ...(imei && { imei }),
        ...(status && { status }),
        ...(batch && { batchId: batch }),
        ...cursor,
      };
      return answerOf(api.GET('/v1/gprsCommands/', { params: { query } }));
    },
    { isEnabled: isWhole },
  );
  return (
    <div className="page">
      <h1>{t('command.title')}</h1>
      {may('commands:write') && <SendForm imei={imei} group={group} onGroup={(next) => change({ group: next })} />}
      <Filters>
        <SearchField label={t('command.imei')} value={imei} onChange={(imei) => change({ imei })} isNumeric />
        <Choice
          label={t('command.status')}
          values={STATUSES}
          value={status}
          text={(each) => t(commandStatusKey(each))}
          onChange={(next) => change({ status: next })}
        />
        {batch !== undefined && (
          <>
            <span>{t('send.shownBatch')}</span>
            <button type="button" onClick={() => change({ batch: undefined })}>
              {t('send.allCommands')}
            </button>
          </>
        )}
        {imei !== undefined && isWhole && may('commands:write') && <Flush imei={imei} />}
      </Filters>
      <Listing query={list} items={list.data?.pages.flatMap(({ items }) => items)} empty={t('command.none')}>
        {(commands) => <CommandTable commands={commands} reasons={reasons.data ?? new Map()} />}
      </Listing>
    </div>
  );
}

function CommandTable({ commands, reasons }: { commands: readonly Command[]; reasons: ReadonlyMap<string, string> }) {
  const { t, time } = useSession();
  return (
    <Table
      head={[
        t('command.text'),
        t('vehicle.device'),
        t('command.status'),
        t('command.reason'),
        t('command.answer'),
        t('command.created'),
      ]}
    >
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
    </Table>
  );
}

function Flush({ imei }: { imei: string }) {
  const { t } = useSession();
  const { run, result } = useAction(['commands']);
  const [isAsking, setAsking] = useState(false);
  const flush = (): Promise<void> => {
    setAsking(false);
    return run(async () => {
      const params = { path: { target: imei } };
      const answer = await answerOf(api.DELETE('/v1/gprsCommands/{target}/reset', { params }));
      return t('command.cancelled', { n: answer.cancelled, skipped: answer.skippedInFlight });
    });
  };
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {t('command.flush')}
      </button>
      {result}
      {isAsking && (
        <Confirm text={t('command.confirmFlush', { imei })} onYes={() => void flush()} onNo={() => setAsking(false)} />
      )}
    </>
  );
}
