import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Choice, Filters, SearchField } from '../../parts/filters.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { usePages } from '../../parts/pages.ts';
import { useSession } from '../../session.tsx';
import { AdminPage, ROLES, type Role, textOf, useGrantable } from './shared.tsx';

const route = getRouteApi('/admin/users');
const PAGE = 100;

export function UsersPage() {
  const { t, may, time } = useSession();
  const { q, role: wanted } = route.useSearch();
  const role = ROLES.find((each) => each === wanted);
  const navigate = useNavigate({ from: '/admin/users' });
  const change = (more: { q?: string | undefined; role?: Role | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const list = usePages(['users', q, role], (cursor) => {
    const query = { limit: PAGE, ...(q && { q }), ...(role && { role }), ...cursor };
    return answerOf(api.GET('/v1/users', { params: { query } }));
  });
  return (
    <AdminPage title={t('admin.users')}>
      {may('users:write') && <NewUser />}
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
      <Listing query={list} items={list.data?.pages.flatMap(({ items }) => items)} empty={t('admin.noUsers')}>
        {(users) => (
          <Table
            head={[
              t('admin.username'),
              t('device.name'),
              t('admin.role'),
              t('map.list'),
              t('admin.lastLogin'),
              t('alarm.state'),
            ]}
          >
            {users.map((user) => (
              <tr key={user.id}>
                <td>
                  <Link to="/admin/users/$id" params={{ id: user.id }}>
                    {user.username}
                  </Link>
                </td>
                <td>
                  {user.name ?? (user.email === null && t('vehicle.none'))}{' '}
                  {user.email !== null && <div className="quiet">{user.email}</div>}
                </td>
                <td>{t(`role.${user.role}`)}</td>
                <td>{user.allVehicles ? t('map.all') : user.vehicles}</td>
                <td>{time(user.lastLoginAt)}</td>
                <td>
                  <span className={`tag ${user.active ? 'good' : 'bad'}`}>
                    {user.active ? t('admin.active') : t('admin.inactive')}
                  </span>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </AdminPage>
  );
}

function NewUser() {
  const { t } = useSession();
  const roles = useGrantable();
  const { run, isRunning, result } = useAction(['users']);
  const create = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const [name, email, password] = ['name', 'email', 'password'].map((each) => textOf(form, each));
    const role = ROLES.find((each) => each === form.get('role')) ?? 'viewer';
    const username = textOf(form, 'username')!;
    void run(async () => {
      const body = { username, role, ...(name && { name }), ...(email && { email }), ...(password && { password }) };
      await answerOf(api.POST('/v1/users', { body }));
      element.reset();
      return t('admin.userCreated', { name: username });
    });
  };
  return (
    <form className="card send" onSubmit={create} aria-label={t('admin.newUser')} autoComplete="off">
      <label>
        {t('admin.username')}
        <input name="username" required />
      </label>
      <label>
        {t('device.name')}
        <input name="name" />
      </label>
      <label>
        {t('admin.email')}
        <input name="email" type="email" />
      </label>
      <label>
        {t('admin.role')}
        <select name="role" defaultValue="dispatcher">
          {roles.map((each) => (
            <option key={each} value={each}>
              {t(`role.${each}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('admin.password')}
        <input name="password" type="password" autoComplete="new-password" />
      </label>
      <button type="submit" className="primary" disabled={isRunning}>
        {t('admin.newUser')}
      </button>
      {result}
    </form>
  );
}
