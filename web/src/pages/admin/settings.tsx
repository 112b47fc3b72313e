import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { paths } from '../../../../dist/client/fleetgate.d.ts';
import { answerOf, api } from '../../api.ts';
import { type Action, useAction } from '../../parts/action.tsx';
import { Loaded } from '../../parts/problem.tsx';
import { Writable } from '../../parts/writable.tsx';
import { useSession } from '../../session.tsx';
import { LoginMethods } from './login-methods.tsx';
import { AdminPage, entriesOf, textOf } from './shared.tsx';

type Stored = paths['/v1/gprsCommands/settings']['get']['responses']['200']['content']['application/json'];

export function SettingsPage() {
  const { t, me } = useSession();
  return (
    <AdminPage title={t('admin.settings')}>
      <dl className="card">
        <dt>{t('admin.tenant')}</dt>
        <dd>
          {me.tenant.name} {me.tenant.title}
        </dd>
        <dt>{t('setting.zone')}</dt>
        <dd>{me.tenant.timezone}</dd>
      </dl>
      <LoginMethods />
      <CommandSettings />
    </AdminPage>
  );
}

/** Which commands are privileged, and who wakes devices. */
function CommandSettings() {
  const action = useAction(['command-settings']);
  const query = useQuery({
    queryKey: ['command-settings'],
    queryFn: () => answerOf(api.GET('/v1/gprsCommands/settings')),
  });
  return (
    <Loaded query={query}>
      {(stored) => <CommandForm key={JSON.stringify(stored)} stored={stored} action={action} />}
    </Loaded>
  );
}

function CommandForm({ stored, action }: { readonly stored: Stored; readonly action: Action }) {
  const { t, may } = useSession();
  const { run, isRunning, result } = action;
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void run(async () => {
      const body = {
        dangerousCommands: entriesOf(textOf(form, 'patterns')),
        wakeUpUrl: textOf(form, 'wakeUpUrl') ?? null,
      };
      await answerOf(api.PUT('/v1/gprsCommands/settings', { body }));
      return t('admin.saved');
    });
  };
  const { dangerousCommands, wakeUpUrl } = stored;
  const mayWrite = may('commands:write') && may('commands:privileged');
  return (
    <form className="card form" onSubmit={save} aria-label={t('nav.commands')}>
      <h2 className="wide">{t('nav.commands')}</h2>
      <Writable isAllowed={mayWrite} reason={t('role.readOnly')}>
        <label className="wide">
          {t('admin.privileged')}
          <textarea name="patterns" rows={3} defaultValue={dangerousCommands.join('\n')} />
        </label>
        <label className="wide">
          {t('admin.wakeUpUrl')}
          <input name="wakeUpUrl" type="url" defaultValue={wakeUpUrl ?? ''} />
        </label>
      </Writable>
      <div className="actions wide">
        {mayWrite && (
          <button type="submit" className="primary" disabled={isRunning}>
            {t('admin.save')}
          </button>
        )}
        {result}
      </div>
    </form>
  );
}
