import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Command } from '../api.ts';
import { COMMAND_STATUSES } from '../lists.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Choice, Filters, SearchField } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { CommandStatus, commandStatusKey } from '../parts/status.tsx';
import { columnsOf, DataTable } from '../parts/table.tsx';
import { type Session, useSession } from '../session.tsx';
import { reasonText } from './commands/reason.ts';
import { SendForm } from './commands/send-form.tsx';
import { type Commands, useCommands, useFlush } from './commands/use-commands.ts';

const route = getRouteApi('/commands');

export function CommandsPage() {
  const { t, may } = useSession();
  const { imei, status, group, batch } = route.useSearch();
  const navigate = useNavigate({ from: '/commands' });
  const change = (more: Partial<ReturnType<typeof route.useSearch>>): void =>
    void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const { list, items, reasons, device } = useCommands({ imei, status, batch });
  return (
    <div className="page">
      <h1>{t('command.title')}</h1>
      {may('commands:write') && <SendForm imei={imei} group={group} onGroup={(next) => change({ group: next })} />}
      <Filters>
        <SearchField label={t('command.imei')} value={imei} onChange={(imei) => change({ imei })} isNumeric />
        <Choice
          label={t('command.status')}
          values={COMMAND_STATUSES}
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
        {device !== undefined && may('commands:write') && <Flush imei={device} />}
      </Filters>
      <Listing query={list} items={items} empty={t('command.none')}>
        {(commands) => <CommandTable commands={commands} reasons={reasons} />}
      </Listing>
    </div>
  );
}

const column = columnsOf<Command>();

const columns = ({ t, time }: Session, reasons: Commands['reasons']) =>
  column.columns([
    column.display({
      id: 'text',
      header: t('command.text'),
      cell: ({ row: { original } }) => (
        <Link to="/commands/$id" params={{ id: original.commandId }}>
          <code>{original.gprsCommand ?? original.type}</code>
        </Link>
      ),
    }),
    column.accessor('imei', { header: t('vehicle.device') }),
    column.accessor('status', {
      header: t('command.status'),
      cell: ({ row: { original } }) => <CommandStatus status={original.status} />,
    }),
    column.display({
      id: 'reason',
      header: t('command.reason'),
      cell: ({ row: { original } }) => reasonText(t, reasons?.get(original.commandId)),
    }),
    column.display({
      id: 'answer',
      header: t('command.answer'),
      meta: { className: 'answer' },
      cell: ({ row: { original } }) => original.response ?? original.error ?? '',
    }),
    column.accessor('createdAt', {
      header: t('command.created'),
      cell: ({ row: { original } }) => time(original.createdAt),
    }),
  ]);

interface TableProps {
  readonly commands: readonly Command[];
  readonly reasons: Commands['reasons'];
}

function CommandTable({ commands, reasons }: TableProps) {
  return <DataTable columns={columns(useSession(), reasons)} rows={commands} rowId={({ commandId }) => commandId} />;
}

function Flush({ imei }: { readonly imei: string }) {
  const { t } = useSession();
  const flush = useFlush();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {t('command.flush')}
      </button>
      {flush.result}
      {isAsking && (
        <Confirm
          text={t('command.confirmFlush', { imei })}
          onYes={() => {
            setAsking(false);
            void flush.run(imei);
          }}
          onNo={() => setAsking(false)}
        />
      )}
    </>
  );
}
