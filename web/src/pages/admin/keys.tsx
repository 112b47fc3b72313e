import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { paths } from '../../../../dist/client/fleetgate.d.ts';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { useSession } from '../../session.tsx';
import { AdminPage, textOf } from './shared.tsx';

type Scope = NonNullable<paths['/v1/keys']['post']['requestBody']>['content']['application/json']['scopes'][number];

export function KeysPage() {
  const { t, time, may } = useSession();
  const { run, result } = useAction(['keys']);
  const [asked, setAsked] = useState<{ id: string; name: string }>();
  const list = useQuery({
    queryKey: ['keys'],
    queryFn: async () => (await answerOf(api.GET('/v1/keys'))).items,
  });
  const end = (id: string): Promise<void> => {
    setAsked(undefined);
    return run(async () => {
      await answerOf(api.DELETE('/v1/keys/{id}', { params: { path: { id } } }));
      return undefined;
    });
  };
  return (
    <AdminPage title={t('admin.keys')}>
      {may('users:write') && <NewKey />}
      {result}
      <Listing query={list} items={list.data} empty={t('admin.noKeys')}>
        {(keys) => (
          <Table
            head={[
              t('device.name'),
              t('admin.scopes'),
              t('command.created'),
              t('command.expires'),
              t('alarm.state'),
              t('ops.action'),
            ]}
          >
            {keys.map(({ id, name, scopes, createdAt, expiresAt, revokedAt }) => (
              <tr key={id}>
                <td>{name}</td>
                <td>
                  <code>{scopes.join(' ')}</code>
                </td>
                <td>{time(createdAt)}</td>
                <td>{expiresAt === null ? t('admin.noEnd') : time(expiresAt)}</td>
                <td>
                  <span className={`tag ${revokedAt === null ? 'good' : 'bad'}`}>
                    {revokedAt === null ? t('admin.active') : t('admin.ended')}
                  </span>
                </td>
                <td>
                  {revokedAt === null && may('users:write') && (
                    <button
                      type="button"
                      aria-label={`${t('admin.end')}: ${name}`}
                      onClick={() => setAsked({ id, name })}
                    >
                      {t('admin.end')}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
      {asked !== undefined && (
        <Confirm
          text={t('admin.confirmEnd', { name: asked.name })}
          onYes={() => void end(asked.id)}
          onNo={() => setAsked(undefined)}
        />
      )}
    </AdminPage>
  );
}

/** The key is in the answer once and never again. */
function NewKey() {
  const { t, me } = useSession();
  const { run, isRunning, result } = useAction(['keys']);
  const [made, setMade] = useState<string>();
  const create = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const days = Number(textOf(form, 'days') ?? 0);
    setMade(undefined);
    void run(async () => {
      const body = {
        name: textOf(form, 'name')!,
        scopes: form.getAll('scope') as Scope[],
        ...(days > 0 && { days }),
      };
      setMade((await answerOf(api.POST('/v1/keys', { body }))).key);
      element.reset();
      return undefined;
    });
  };
  return (
    <form className="card form" onSubmit={create} aria-label={t('admin.newKey')} autoComplete="off">
      <label>
        {t('device.name')}
        <input name="name" required />
      </label>
      <label>
        {t('admin.days')}
        <input name="days" type="number" min={1} max={3_650} />
      </label>
      <fieldset className="wide fields">
        <legend>{t('admin.scopes')}</legend>
        {me.scopes.toSorted().map((scope) => (
          <label key={scope} className="check">
            <input type="checkbox" name="scope" value={scope} />
            <code>{scope}</code>
          </label>
        ))}
      </fieldset>
      <div className="actions wide">
        <button type="submit" className="primary" disabled={isRunning}>
          {t('admin.newKey')}
        </button>
        {result}
        {made !== undefined && (
          <p role="status">
            {t('admin.keyOnce')} <code className="answer">{made}</code>{' '}
            <button type="button" onClick={() => void navigator.clipboard.writeText(made)}>
              {t('share.copy')}
            </button>
          </p>
        )}
      </div>
    </form>
  );
}
