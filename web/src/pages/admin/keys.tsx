import { useState } from 'react';
import { newKey } from '../../bodies.ts';
import { useBodyForm } from '../../parts/body-form.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { CheckField, TextField, Wrong } from '../../parts/fields.tsx';
import { Listing } from '../../parts/listing.tsx';
import { columnsOf, DataTable } from '../../parts/table.tsx';
import { type Session, useSession } from '../../session.tsx';
import { AdminPage } from './shared.tsx';
import { type ApiKey, type Keys, useKeys } from './use-keys.ts';

export function KeysPage() {
  const { t, may } = useSession();
  const keys = useKeys();
  return (
    <AdminPage title={t('admin.keys')}>
      {may('users:write') && <NewKey keys={keys} />}
      {keys.revoke.result}
      <Listing query={keys.list} items={keys.list.data} empty={t('admin.noKeys')}>
        {(items) => <KeyTable keys={items} onRevoke={keys.revoke.run} />}
      </Listing>
    </AdminPage>
  );
}

const column = columnsOf<ApiKey>();

const columns = ({ t, time, may }: Session, onAsk: (key: ApiKey) => void) =>
  column.columns([
    column.accessor('name', { header: t('device.name') }),
    column.accessor('scopes', {
      header: t('admin.scopes'),
      cell: ({ row: { original } }) => <code>{original.scopes.join(' ')}</code>,
    }),
    column.accessor('createdAt', {
      header: t('command.created'),
      cell: ({ row: { original } }) => time(original.createdAt),
    }),
    column.accessor('expiresAt', {
      header: t('command.expires'),
      cell: ({ row: { original } }) => (original.expiresAt === null ? t('admin.noEnd') : time(original.expiresAt)),
    }),
    column.accessor('revokedAt', {
      header: t('alarm.state'),
      cell: ({ row: { original } }) => (
        <span className={`tag ${original.revokedAt === null ? 'good' : 'bad'}`}>
          {original.revokedAt === null ? t('admin.active') : t('admin.ended')}
        </span>
      ),
    }),
    column.display({
      id: 'action',
      header: t('ops.action'),
      cell: ({ row: { original } }) =>
        original.revokedAt === null &&
        may('users:write') && (
          <button type="button" aria-label={`${t('admin.end')}: ${original.name}`} onClick={() => onAsk(original)}>
            {t('admin.end')}
          </button>
        ),
    }),
  ]);

function KeyTable({ keys, onRevoke }: { readonly keys: readonly ApiKey[]; readonly onRevoke: Keys['revoke']['run'] }) {
  const session = useSession();
  const { t } = session;
  const [asked, setAsked] = useState<ApiKey>();
  return (
    <>
      <DataTable columns={columns(session, setAsked)} rows={keys} rowId={({ id }) => id} />
      {asked !== undefined && (
        <Confirm
          text={t('admin.confirmEnd', { name: asked.name })}
          onYes={() => {
            setAsked(undefined);
            void onRevoke(asked.id);
          }}
          onNo={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

function NewKey({ keys: { create, secret } }: { readonly keys: Keys }) {
  const { t, me } = useSession();
  const { field, sends, reset } = useBodyForm({
    schema: newKey,
    defaultValues: { name: '', days: '', scopes: [] as string[] },
  });
  const submit = sends(async (body) => {
    if (await create.run(body)) reset();
  });
  const scopes = field('scopes');
  return (
    <form className="card form" onSubmit={submit} aria-label={t('admin.newKey')} autoComplete="off">
      <TextField {...field('name')} label={t('device.name')} />
      <TextField {...field('days', 'number')} type="number" label={t('admin.days')} />
      <fieldset className="wide fields">
        <legend>{t('admin.scopes')}</legend>
        {me.scopes.toSorted().map((scope) => (
          <CheckField key={scope} {...scopes} value={scope} label={<code>{scope}</code>} />
        ))}
        <Wrong problem={scopes.problem} />
      </fieldset>
      <div className="actions wide">
        <button type="submit" className="primary" disabled={create.isRunning}>
          {t('admin.newKey')}
        </button>
        {create.result}
        {secret !== undefined && (
          <p role="status">
            {t('admin.keyOnce')} <code className="answer">{secret}</code>{' '}
            <button type="button" onClick={() => void navigator.clipboard.writeText(secret)}>
              {t('share.copy')}
            </button>
          </p>
        )}
      </div>
    </form>
  );
}
