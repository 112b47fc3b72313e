import { useIsFetching } from '@tanstack/react-query';
import { Link, Navigate, Outlet, useLocation } from '@tanstack/react-router';
import { type ChangeEvent, useEffect, useRef } from 'react';
import { objectOf, SUBJECTS, subjectOf } from './pages.ts';
import { useFleet, useSession } from './session.tsx';
import { changeSettings, useSettings } from './settings.ts';

const LISTED = SUBJECTS.filter((each) => 'isListed' in each);

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

/** The title of the window: what is shown, for tabs, bookmarks and screen readers. */
function useTitle(subject: ReturnType<typeof subjectOf>, pathname: string): void {
  const { t } = useSession();
  const object = subject === undefined ? undefined : objectOf(pathname, subject);
  const title = [object, subject && t(subject.title), 'Fleetgate'].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}

export function Layout() {
  const { t, may } = useSession();
  const isFetching = useIsFetching() > 0;
  const pathname = useLocation({ select: (location) => location.pathname.replace(/^\/console(?=\/|$)/, '') });
  const subject = subjectOf(pathname);
  const isAdmin = pathname.startsWith('/admin/');
  useTitle(subject, pathname);
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another active link
  useEffect(() => {
    nav.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <>
      <a className="skip" href="#content">
        {t('nav.skip')}
      </a>
      <header className="top">
        <strong className="brand">Fleetgate</strong>
        {may('positions:read') && <LiveBanner />}
        <Preferences />
        <nav ref={nav} aria-label={t('nav.label')}>
          {LISTED.map(
            ({ path, title, isAllowed }) =>
              isAllowed(may) && (
                <Link key={path} to={path} className={path === '/admin/users' && isAdmin ? 'active' : ''}>
                  {t(title)}
                </Link>
              ),
          )}
          {may('ops') && <a href="/console/overview">{t('nav.overview')}</a>}
          {may('ops') && <a href="/admin/queues">{t('nav.queue')}</a>}
          <a href="/docs">{t('nav.reference')}</a>
        </nav>
      </header>
      <main id="content" tabIndex={-1} data-busy={isFetching}>
        {subject === undefined || subject.isAllowed(may) ? <Outlet /> : <NotAllowed />}
      </main>
    </>
  );
}

/** The first page that the user may see. */
export function Home() {
  const { may } = useSession();
  const first = LISTED.find(({ isAllowed }) => isAllowed(may));
  return first === undefined ? <NotAllowed /> : <Navigate to={first.path} replace />;
}

function NotAllowed() {
  const { t } = useSession();
  return (
    <div className="page">
      <h1>{t('error.noScope')}</h1>
      <p>{t('error.askAdministrator')}</p>
    </div>
  );
}

export function Missing() {
  const { t } = useSession();
  return (
    <div className="page">
      <h1>{t('error.missing')}</h1>
    </div>
  );
}
