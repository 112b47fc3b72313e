import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { userChange } from '../../bodies.ts';
import { ROLES } from '../../lists.ts';
import { type FieldProps, useBodyForm } from '../../parts/body-form.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../parts/fields.tsx';
import { Loaded } from '../../parts/problem.tsx';
import { Writable } from '../../parts/writable.tsx';
import { useSession } from '../../session.tsx';
import { AdminPage, entriesOf, useGrantable } from './shared.tsx';
import { type User, type UserActions, useUser } from './use-user.ts';

const route = getRouteApi('/admin/users/$id');

export function UserPage() {
  const { t, time, may } = useSession();
  const { id } = route.useParams();
  const { record: query, ...actions } = useUser(id);
  return (
    <Loaded query={query} waiting={<p className="notice">{t('loading')}</p>}>
      {(user) => (
        <AdminPage title={user.username}>
          <dl className="card">
            <dt>{t('admin.lastLogin')}</dt>
            <dd>{time(user.lastLoginAt)}</dd>
            <dt>{t('command.created')}</dt>
            <dd>{time(user.createdAt)}</dd>
          </dl>
          {/* fields have their defaults from the record: a changed record needs new ones */}
          {may('users:write') && <UserForm key={user.updatedAt} user={user} actions={actions} />}
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

const fieldsOf = ({ name, email, role, active, allVehicles, targhe, locale, timezone }: User) => ({
  name: name ?? '',
  email: email ?? '',
  role: role as string,
  active,
  allVehicles,
  targhe: targhe.join('\n'),
  locale,
  timezone: timezone ?? '',
  password: '',
});

/** An empty field removes a name, an address or a time zone; without a password it stays as it is. */
const bodyOf = ({ name, email, timezone, targhe, password, ...others }: ReturnType<typeof fieldsOf>) => ({
  ...others,
  name: name.trim() || null,
  email: email.trim() || null,
  timezone: timezone.trim() || null,
  ...(!others.allVehicles && { targhe: entriesOf(targhe) }),
  ...(password.trim() !== '' && { password: password.trim() }),
});

interface FormProps {
  readonly user: User;
  readonly actions: UserActions;
}

function UserForm({ user, actions }: FormProps) {
  const { t } = useSession();
  const roles = useGrantable();
  const form = useBodyForm({ schema: userChange, defaultValues: fieldsOf(user), toBody: bodyOf });
  const { field } = form;
  const submit = form.sends((body) => actions.save(body));
  return (
    <form className="card form" onSubmit={submit} aria-label={t('admin.editUser')} autoComplete="off">
      <Writable isAllowed={roles.includes(user.role)} reason={t('admin.mayMore')}>
        <TextField {...field('name')} label={t('device.name')} />
        <TextField {...field('email')} type="email" label={t('admin.email')} />
        <SelectField {...field('role')} label={t('admin.role')}>
          {ROLES.filter((each) => each === user.role || roles.includes(each)).map((each) => (
            <option key={each} value={each}>
              {t(`role.${each}`)}
            </option>
          ))}
        </SelectField>
        <LanguageField user={user} field={field('locale')} />
        <TextField {...field('timezone')} label={t('setting.zone')} />
        <TextField {...field('password')} type="password" autoComplete="new-password" label={t('admin.newPassword')} />
        <CheckField {...field('active')} label={t('admin.active')} />
        <CheckField {...field('allVehicles')} label={t('admin.allVehicles')} />
        {!form.watch('allVehicles') && (
          <TextArea {...field('targhe')} className="wide" rows={4} label={t('admin.vehiclesOfUser')} />
        )}
        <div className="actions wide">
          <button type="submit" className="primary" disabled={actions.isRunning}>
            {t('admin.save')}
          </button>
          <OtherActions user={user} actions={actions} />
        </div>
      </Writable>
      {actions.result}
    </form>
  );
}

function LanguageField({ user, field }: { readonly user: User; readonly field: FieldProps }) {
  const { t, language } = useSession();
  return (
    <SelectField {...field} label={t('setting.language')}>
      {[...new Set([user.locale, 'it-IT', 'en-GB'])].map((each) => (
        <option key={each} value={each}>
          {languageName(each, language)}
        </option>
      ))}
    </SelectField>
  );
}

function OtherActions({ user, actions }: FormProps) {
  const { t, me } = useSession();
  const [asked, setAsked] = useState<'endOtp' | 'remove'>();
  return (
    <>
      <button type="button" onClick={() => setAsked('endOtp')}>
        {t('admin.endOtp')}
      </button>
      {me.user.id !== user.id && (
        <button type="button" onClick={() => setAsked('remove')}>
          {t('admin.remove')}
        </button>
      )}
      {asked !== undefined && (
        <Confirm
          text={t(asked === 'endOtp' ? 'admin.confirmOtp' : 'admin.confirmRemove', { name: user.username })}
          onYes={() => {
            setAsked(undefined);
            void actions[asked]();
          }}
          onNo={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
