import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { newUser } from '../../bodies.ts';
import { ROLES } from '../../lists.ts';
import { useBodyForm } from '../../parts/body-form.ts';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Choice, Filters, SearchField } from '../../parts/filters.tsx';
import { Listing } from '../../parts/listing.tsx';
import { columnsOf, DataTable } from '../../parts/table.tsx';
import { type Session, useSession } from '../../session.tsx';
import { AdminPage, type Role, useGrantable } from './shared.tsx';
import { type UserItem, type Users, useUsers } from './use-users.ts';

const route = getRouteApi('/admin/users');

export function UsersPage() {
  const { t, may } = useSession();
  const { q, role: wanted } = route.useSearch();
  const role = ROLES.find((each) => each === wanted);
  const navigate = useNavigate({ from: '/admin/users' });
  const change = (more: { q?: string | undefined; role?: Role | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const users = useUsers({ q, role });
  return (
    <AdminPage title={t('admin.users')}>
      {may('users:write') && <NewUser create={users.create} />}
      <Filters>
        <SearchField label={t('admin.searchUser')} value={q} onChange={(q) => change({ q })} />
        <Choice
          label={t('admin.role')}
          values={ROLES}
          value={role}
          text={(each) => t(`role.${each}`)}
          onChange={(next) => change({ role: next })}
        />
      </Filters>
      <Listing query={users.list} items={users.items} empty={t('admin.noUsers')}>
        {(items) => <UserTable users={items} />}
      </Listing>
    </AdminPage>
  );
}

const column = columnsOf<UserItem>();

const columns = ({ t, time }: Session) =>
  column.columns([
    column.accessor('username', {
      header: t('admin.username'),
      cell: ({ row: { original } }) => (
        <Link to="/admin/users/$id" params={{ id: original.id }}>
          {original.username}
        </Link>
      ),
    }),
    column.accessor('name', {
      header: t('device.name'),
      cell: ({ row: { original } }) => (
        <>
          {original.name ?? (original.email === null && t('vehicle.none'))}{' '}
          {original.email !== null && <div className="quiet">{original.email}</div>}
        </>
      ),
    }),
    column.accessor('role', { header: t('admin.role'), cell: ({ row: { original } }) => t(`role.${original.role}`) }),
    column.accessor('vehicles', {
      header: t('map.list'),
      cell: ({ row: { original } }) => (original.allVehicles ? t('map.all') : original.vehicles),
    }),
    column.accessor('lastLoginAt', {
      header: t('admin.lastLogin'),
      cell: ({ row: { original } }) => time(original.lastLoginAt),
    }),
    column.accessor('active', {
      header: t('alarm.state'),
      cell: ({ row: { original } }) => (
        <span className={`tag ${original.active ? 'good' : 'bad'}`}>
          {original.active ? t('admin.active') : t('admin.inactive')}
        </span>
      ),
    }),
  ]);

function UserTable({ users }: { readonly users: readonly UserItem[] }) {
  return <DataTable columns={columns(useSession())} rows={users} rowId={({ id }) => id} />;
}

function NewUser({ create }: Pick<Users, 'create'>) {
  const { t } = useSession();
  const roles = useGrantable();
  const { field, sends, reset } = useBodyForm({
    schema: newUser,
    defaultValues: { username: '', name: '', email: '', role: 'dispatcher', password: '' },
  });
  const submit = sends(async (body) => {
    if (await create.run(body)) reset();
  });
  return (
    <form className="card send" onSubmit={submit} aria-label={t('admin.newUser')} autoComplete="off">
      <TextField {...field('username')} label={t('admin.username')} />
      <TextField {...field('name')} label={t('device.name')} />
      <TextField {...field('email')} type="email" label={t('admin.email')} />
      <SelectField {...field('role')} label={t('admin.role')}>
        {roles.map((each) => (
          <option key={each} value={each}>
            {t(`role.${each}`)}
          </option>
        ))}
      </SelectField>
      <TextField {...field('password')} type="password" autoComplete="new-password" label={t('admin.password')} />
      <button type="submit" className="primary" disabled={create.isRunning}>
        {t('admin.newUser')}
      </button>
      {create.result}
    </form>
  );
}
