import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { paths } from '../../../../dist/client/fleetgate.d.ts';
import { answerOf, api } from '../../api.ts';
import { type Action, useAction } from '../../parts/action.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Loaded } from '../../parts/problem.tsx';
import { Writable } from '../../parts/writable.tsx';
import { useSession } from '../../session.tsx';
import { AdminPage, entriesOf, ROLES, textOf, useGrantable } from './shared.tsx';

const route = getRouteApi('/admin/users/$id');
type User = paths['/v1/users/{user_id}']['get']['responses']['200']['content']['application/json'];

export function UserPage() {
  const { t, time, may } = useSession();
  const { id } = route.useParams();
  const action = useAction(['users']);
  const user = useQuery({
    queryKey: ['users', 'one', id],
    queryFn: () => answerOf(api.GET('/v1/users/{user_id}', { params: { path: { user_id: id } } })),
  });
  return (
    <Loaded query={user} waiting={<p className="notice">{t('loading')}</p>}>
      {(record) => (
        <AdminPage title={record.username}>
          <dl className="card">
            <dt>{t('admin.lastLogin')}</dt>
            <dd>{time(record.lastLoginAt)}</dd>
            <dt>{t('command.created')}</dt>
            <dd>{time(record.createdAt)}</dd>
          </dl>
          {/* fields have their defaults from the record: a changed record needs new ones */}
          {may('users:write') && <UserForm key={record.updatedAt} user={record} action={action} />}
        </AdminPage>
      )}
    </Loaded>
  );
}

/** Stored locales may have any form. */
function languageName(locale: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}

/** `action`: of the page, which still says what was saved when the record has changed. */
function UserForm({ user, action }: { user: User; action: Action }) {
  const { t, language } = useSession();
  const { run, isRunning, result } = action;
  const roles = useGrantable();
  const [seesAll, setSeesAll] = useState(user.allVehicles);
  const params = { path: { user_id: user.id } };
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = textOf(form, 'password');
    void run(async () => {
      const body = {
        name: textOf(form, 'name') ?? null,
        email: textOf(form, 'email') ?? null,
        role: ROLES.find((each) => each === form.get('role')) ?? user.role,
        active: form.get('active') === 'on',
        allVehicles: seesAll,
        ...(!seesAll && { targhe: entriesOf(textOf(form, 'targhe')) }),
        locale: textOf(form, 'locale') ?? user.locale,
        timezone: textOf(form, 'timezone') ?? null,
        ...(password !== undefined && { password }),
      };
      await answerOf(api.PATCH('/v1/users/{user_id}', { params, body }));
      return t('admin.saved');
    });
  };
  return (
    <form className="card form" onSubmit={save} aria-label={t('admin.editUser')} autoComplete="off">
      <Writable isAllowed={roles.includes(user.role)} reason={t('admin.mayMore')}>
        <label>
          {t('device.name')}
          <input name="name" defaultValue={user.name ?? ''} />
        </label>
        <label>
          {t('admin.email')}
          <input name="email" type="email" defaultValue={user.email ?? ''} />
        </label>
        <label>
          {t('admin.role')}
          <select name="role" defaultValue={user.role}>
            {ROLES.filter((each) => each === user.role || roles.includes(each)).map((each) => (
              <option key={each} value={each}>
                {t(`role.${each}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('setting.language')}
          <select name="locale" defaultValue={user.locale}>
            {[...new Set([user.locale, 'it-IT', 'en-GB'])].map((each) => (
              <option key={each} value={each}>
                {languageName(each, language)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('setting.zone')}
          <input name="timezone" defaultValue={user.timezone ?? ''} />
        </label>
        <label>
          {t('admin.newPassword')}
          <input name="password" type="password" autoComplete="new-password" />
        </label>
        <label className="check">
          <input type="checkbox" name="active" defaultChecked={user.active} />
          {t('admin.active')}
        </label>
        <label className="check">
          <input type="checkbox" checked={seesAll} onChange={(event) => setSeesAll(event.target.checked)} />
          {t('admin.allVehicles')}
        </label>
        {!seesAll && (
          <label className="wide">
            {t('admin.vehiclesOfUser')}
            <textarea name="targhe" rows={4} defaultValue={user.targhe.join('\n')} />
          </label>
        )}
        <div className="actions wide">
          <button type="submit" className="primary" disabled={isRunning}>
            {t('admin.save')}
          </button>
          <OtherActions user={user} run={run} />
        </div>
      </Writable>
      {result}
    </form>
  );
}

interface OtherProps {
  readonly user: User;
  readonly run: (change: () => Promise<string | undefined>) => Promise<void>;
}

function OtherActions({ user, run }: OtherProps) {
  const { t, me } = useSession();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'otp' | 'remove'>();
  const params = { path: { user_id: user.id } };
  const act = (): Promise<void> => {
    setAsked(undefined);
    return run(async () => {
      if (asked === 'otp') {
        await answerOf(api.DELETE('/v1/users/{user_id}/otp', { params }));
        return t('admin.otpEnded');
      }
      await answerOf(api.DELETE('/v1/users/{user_id}', { params }));
      await navigate({ to: '/admin/users' });
      return undefined;
    });
  };
  return (
    <>
      <button type="button" onClick={() => setAsked('otp')}>
        {t('admin.endOtp')}
      </button>
      {me.user.id !== user.id && (
        <button type="button" onClick={() => setAsked('remove')}>
          {t('admin.remove')}
        </button>
      )}
      {asked !== undefined && (
        <Confirm
          text={t(asked === 'otp' ? 'admin.confirmOtp' : 'admin.confirmRemove', { name: user.username })}
          onYes={() => void act()}
          onNo={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
