import { useIsFetching } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import type { ChangeEvent } from 'react';
import { useFleet, useSession } from './session.tsx';
import { changeSettings, useSettings } from './settings.ts';

function Preferences() {
  const { t, me, language, zone } = useSession();
  const { theme } = useSettings();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([me.user.timezone, me.tenant.timezone, own, 'UTC', zone])];
  const chosen = (event: ChangeEvent<HTMLSelectElement>) => event.target.value;
  return (
    <div className="preferences">
      <select
        aria-label={t('setting.language')}
        value={language}
        onChange={(event) => changeSettings({ language: chosen(event) === 'it' ? 'it' : 'en' })}
      >
        <option value="en">English</option>
        <option value="it">Italiano</option>
      </select>
      <select
        aria-label={t('setting.theme')}
        value={theme ?? ''}
        onChange={(event) => {
          const value = chosen(event);
          changeSettings({ theme: value === 'light' || value === 'dark' ? value : undefined });
        }}
      >
        <option value="">{t('theme.system')}</option>
        <option value="light">{t('theme.light')}</option>
        <option value="dark">{t('theme.dark')}</option>
      </select>
      <select aria-label={t('setting.zone')} value={zone} onChange={(event) => changeSettings({ zone: chosen(event) })}>
        {zones.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <form method="post" action="/logout">
        <button type="submit">{t('nav.logout')}</button>
      </form>
    </div>
  );
}

function LiveBanner() {
  const { t, clock } = useSession();
  const { stream, asOf } = useFleet();
  return (
    <div className="live" role="status">
      {stream === 'connected' && <span className="live-on">{t('live.connected')}</span>}
      {stream === 'connecting' && <span>{t('live.connecting')}</span>}
      {stream === 'cut' && <strong className="live-cut">{t('live.cut', { at: clock(asOf) })}</strong>}
    </div>
  );
}

export function Layout() {
  const { t, may } = useSession();
  const isFetching = useIsFetching() > 0;
  return (
    <>
      <a className="skip" href="#content">
        {t('nav.skip')}
      </a>
      <header className="top">
        <strong className="brand">Fleetgate</strong>
        <nav aria-label={t('nav.label')}>
          {may('positions:read') && <Link to="/map">{t('nav.map')}</Link>}
          {may('devices:read') && <Link to="/devices">{t('nav.devices')}</Link>}
          {may('commands:read') && <Link to="/commands">{t('nav.commands')}</Link>}
          {may('positions:read') && may('vehicles:read') && <Link to="/share">{t('nav.share')}</Link>}
          {may('app') && <Link to="/alarms">{t('nav.alarms')}</Link>}
          {may('notifications:read') && <Link to="/rules">{t('nav.rules')}</Link>}
          {may('notifications:read') && <Link to="/reports">{t('nav.reports')}</Link>}
          {may('ddd:read') && <Link to="/tachograph">{t('nav.tachograph')}</Link>}
          {(may('streams:write') || may('users:read') || may('ops')) && (
            <Link to="/operations">{t('nav.operations')}</Link>
          )}
          {may('users:read') && <Link to="/admin/users">{t('nav.admin')}</Link>}
          {may('ops') && <a href="/console/overview">{t('nav.overview')}</a>}
          {may('ops') && <a href="/admin/queues">{t('nav.queue')}</a>}
          <a href="/docs">{t('nav.reference')}</a>
        </nav>
        {may('positions:read') && <LiveBanner />}
        <Preferences />
      </header>
      <main id="content" tabIndex={-1} data-busy={isFetching}>
        <Outlet />
      </main>
    </>
  );
}

export function Missing() {
  const { t } = useSession();
  return <p className="notice">{t('error.missing')}</p>;
}
