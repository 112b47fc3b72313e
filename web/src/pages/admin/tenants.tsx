import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { usePages } from '../../parts/pages.ts';
import { useSession } from '../../session.tsx';
import { AdminPage, textOf } from './shared.tsx';

const PAGE = 100;

/** For the operator: all tenants of this installation. */
export function TenantsPage() {
  const { t, may } = useSession();
  return (
    <AdminPage title={t('admin.tenants')}>
      {may('tenants:write') && <NewTenant />}
      <Tenants />
      <Claims />
    </AdminPage>
  );
}

function Tenants() {
  const { t, may, number } = useSession();
  const { run, result } = useAction(['tenants']);
  const [asked, setAsked] = useState<string>();
  const list = usePages(['tenants'], (cursor) => {
    const query = { limit: PAGE, ...cursor };
    return answerOf(api.GET('/v1/tenants', { params: { query } }));
  });
  const change = (tenant: string, body: { active?: boolean; partners?: 'qora'[] }): Promise<void> => {
    setAsked(undefined);
    return run(async () => {
      await answerOf(api.PATCH('/v1/tenants/{tenant}', { params: { path: { tenant } }, body }));
      return undefined;
    });
  };
  return (
    <>
      {result}
      <Listing query={list} items={list.data?.pages.flatMap(({ items }) => items)} empty={t('admin.noTenants')}>
        {(tenants) => (
          <Table
            head={[
              t('admin.tenant'),
              t('setting.zone'),
              t('admin.users'),
              t('map.list'),
              t('nav.devices'),
              t('admin.partners'),
              t('alarm.state'),
              t('ops.action'),
            ]}
          >
            {tenants.map(({ name, title, timezone, users, vehicles, devices, partners, active }) => (
              <tr key={name}>
                <td>
                  <strong>{name}</strong> {title !== null && <div className="quiet">{title}</div>}
                </td>
                <td>{timezone}</td>
                <td>{number(users)}</td>
                <td>{number(vehicles)}</td>
                <td>{number(devices)}</td>
                <td>
                  <label className="check">
                    <input
                      type="checkbox"
                      aria-label={`qora: ${name}`}
                      checked={partners.includes('qora')}
                      disabled={!may('tenants:write')}
                      onChange={(event) => void change(name, { partners: event.target.checked ? ['qora'] : [] })}
                    />
                    qora
                  </label>
                </td>
                <td>
                  <span className={`tag ${active ? 'good' : 'bad'}`}>
                    {active ? t('admin.active') : t('admin.inactive')}
                  </span>
                </td>
                <td>
                  {may('tenants:write') && (
                    <button
                      type="button"
                      aria-label={`${t(active ? 'admin.switchOff' : 'admin.switchOn')}: ${name}`}
                      onClick={() => (active ? setAsked(name) : void change(name, { active: true }))}
                    >
                      {t(active ? 'admin.switchOff' : 'admin.switchOn')}
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
          text={t('admin.confirmSwitchOff', { name: asked })}
          onYes={() => void change(asked, { active: false })}
          onNo={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

function NewTenant() {
  const { t, me } = useSession();
  const { run, isRunning, result } = useAction(['tenants']);
  const create = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const [title, timezone, username, password] = ['title', 'timezone', 'username', 'password'].map((each) =>
      textOf(form, each),
    );
    const name = textOf(form, 'name')!;
    void run(async () => {
      const admin = username === undefined ? {} : { admin: { username, ...(password && { password }) } };
      const body = { name, ...(title && { title }), ...(timezone && { timezone }), ...admin };
      await answerOf(api.POST('/v1/tenants', { body }));
      element.reset();
      return t('admin.tenantCreated', { name });
    });
  };
  return (
    <form className="card send" onSubmit={create} aria-label={t('admin.newTenant')} autoComplete="off">
      <label>
        {t('admin.tenant')}
        <input name="name" required pattern="[a-z0-9\-]{1,63}" title="a-z 0-9 -" />
      </label>
      <label>
        {t('admin.tenantTitle')}
        <input name="title" />
      </label>
      <label>
        {t('setting.zone')}
        <input name="timezone" defaultValue={me.tenant.timezone} />
      </label>
      <label>
        {t('admin.firstAdmin')}
        <input name="username" />
      </label>
      <label>
        {t('admin.password')}
        <input name="password" type="password" autoComplete="new-password" />
      </label>
      <button type="submit" className="primary" disabled={isRunning}>
        {t('admin.newTenant')}
      </button>
      {result}
    </form>
  );
}

/** Devices that two tenants have registered. */
function Claims() {
  const { t, time, may } = useSession();
  const { run, isRunning, result } = useAction(['claims']);
  const claims = useQuery({
    queryKey: ['claims'],
    queryFn: async () => (await answerOf(api.GET('/v1/device-claims', { params: { query: { limit: PAGE } } }))).items,
  });
  const decide = (id: string, isAccepted: boolean): Promise<void> =>
    run(async () => {
      const params = { path: { id } };
      if (isAccepted) await answerOf(api.POST('/v1/device-claims/{id}/accept', { params }));
      else await answerOf(api.POST('/v1/device-claims/{id}/reject', { params }));
      return undefined;
    });
  return (
    <section className="card" aria-label={t('admin.claims')}>
      <h2>{t('admin.claims')}</h2>
      {result}
      <Listing query={claims} items={claims.data} empty={t('admin.noClaims')}>
        {(items) => (
          <Table head={[t('vehicle.device'), t('admin.claimedBy'), t('admin.holder'), t('ops.action')]}>
            {items.map(({ id, imei, tenant, claimedAt, holder }) => (
              <tr key={id}>
                <td>{imei}</td>
                <td>
                  {tenant} <span className="quiet">{time(claimedAt)}</span>
                </td>
                <td>
                  {holder?.tenant ?? t('vehicle.none')}{' '}
                  {holder !== null && <span className="quiet">{time(holder.lastSeenAt)}</span>}
                </td>
                <td className="actions">
                  {may('tenants:write') && (
                    <>
                      <button
                        type="button"
                        disabled={isRunning}
                        aria-label={`${t('admin.accept')}: ${imei}, ${tenant}`}
                        onClick={() => void decide(id, true)}
                      >
                        {t('admin.accept')}
                      </button>
                      <button
                        type="button"
                        disabled={isRunning}
                        aria-label={`${t('admin.reject')}: ${imei}, ${tenant}`}
                        onClick={() => void decide(id, false)}
                      >
                        {t('admin.reject')}
                      </button>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </section>
  );
}
