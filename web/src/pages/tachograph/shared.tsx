import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { countryCode, isoOf, NATION_NUMBERS } from '../../../../src/server/tachograph/engine/nations.ts';
import { answerOf, api } from '../../api.ts';
import { useSession } from '../../session.tsx';

const PAGE = 500;

/** All pages of this subject, with the one that is open marked. */
export function TachographPage({ title, children }: { title: string; children: ReactNode }) {
  const { t, may } = useSession();
  return (
    <div className="page">
      <h1>{title}</h1>
      <nav className="tabs" aria-label={t('nav.tachograph')}>
        <Link to="/tachograph" activeOptions={{ exact: true }}>
          {t('tacho.board')}
        </Link>
        <Link to="/tachograph/files">{t('tacho.files')}</Link>
        <Link to="/tachograph/infringements">{t('tacho.infringements')}</Link>
        <Link to="/tachograph/letters">{t('tacho.letters')}</Link>
        <Link to="/tachograph/notices">{t('tacho.notices')}</Link>
        <Link to="/tachograph/posting">{t('posting.title')}</Link>
        {may('payroll:read') && <Link to="/tachograph/payroll">{t('tacho.lul')}</Link>}
        {may('payroll:read') && <Link to="/tachograph/settings">{t('terms.title')}</Link>}
      </nav>
      {children}
    </div>
  );
}

/** Names of the drivers by their ids. */
export function useDrivers(): ReadonlyMap<string, string> {
  const { may } = useSession();
  const { data } = useQuery({
    queryKey: ['drivers'],
    enabled: may('drivers:read'),
    queryFn: async () => {
      const names = new Map<string, string>();
      let cursor: string | undefined;
      do {
        const query = { limit: PAGE, ...(cursor && { cursor }) };
        const page = await answerOf(api.GET('/v1/drivers', { params: { query } }));
        for (const { id, name } of page.items) names.set(id, name);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return names;
    },
  });
  return data ?? NO_NAMES;
}
const NO_NAMES: ReadonlyMap<string, string> = new Map();

export function DriverLink({ id, name, month }: { id: string; name: string | undefined; month?: string | undefined }) {
  return (
    <Link to="/tachograph/drivers/$id" params={{ id }} search={month === undefined ? {} : { month }}>
      {name ?? id}
    </Link>
  );
}

const VERDICTS: Readonly<Record<string, string>> = {
  valid: 'good',
  invalid: 'bad',
  unsigned: 'warn',
  unverifiable: 'warn',
};
type VerdictName = 'valid' | 'invalid' | 'unsigned' | 'unverifiable';

export function Verdict({ verdict }: { verdict: string | null }) {
  const { t } = useSession();
  if (verdict === null) return <>{t('vehicle.none')}</>;
  const isKnown = verdict in VERDICTS;
  return (
    <span className={`tag ${VERDICTS[verdict] ?? ''}`}>
      {isKnown ? t(`verdict.${verdict as VerdictName}`) : verdict}
    </span>
  );
}

/** `7:05`, as tachographs print durations. */
export const hours = (minutes: number): string =>
  `${minutes < 0 ? '−' : ''}${Math.floor(Math.abs(minutes) / 60)}:${String(Math.round(Math.abs(minutes) % 60)).padStart(2, '0')}`;

/** 02/03/2026, as both languages write it, for 2026-03-02. */
export const dateText = (date: string): string => date.slice(0, 10).split('-').reverse().join('/');

const DAYS = 90;
const DAY_MS = 86_400_000;

/** The interval of days of a page's URL: the last 90, without one. */
export function useInterval({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const now = Date.now();
  return {
    from: from ?? new Date(now - DAYS * DAY_MS).toISOString().slice(0, 10),
    to: to ?? new Date(now).toISOString().slice(0, 10),
  };
}

export function DateRange({
  onChange,
  ...interval
}: {
  readonly from: string;
  readonly to: string;
  readonly onChange: (more: { readonly from?: string; readonly to?: string }) => void;
}) {
  const { t } = useSession();
  return (['from', 'to'] as const).map((end) => (
    <label key={end} className="check">
      {t(end === 'from' ? 'vehicle.pairedFrom' : 'vehicle.pairedTo')}
      <input
        type="date"
        value={interval[end]}
        onChange={(event) => event.target.value !== '' && onChange({ [end]: event.target.value })}
      />
    </label>
  ));
}

/** Chooses one of the drivers, in the field `driver`. */
export function DriverField({ names }: { readonly names: ReadonlyMap<string, string> }) {
  const { t } = useSession();
  return (
    <label>
      {t('alarm.driver')}
      <select name="driver" required>
        {[...names].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** One option for each state of the tachograph, by its number. */
export function NationOptions() {
  const { language } = useSession();
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return NATION_NUMBERS.map((number) => {
    const iso = isoOf(number);
    return (
      <option key={number} value={number}>
        {iso === undefined ? countryCode(number) : `${countryCode(number)} – ${names.of(iso)}`}
      </option>
    );
  });
}
