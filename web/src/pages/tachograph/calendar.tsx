import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Loaded } from '../../parts/problem.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useSession } from '../../session.tsx';
import { shiftDay } from '../../zone.ts';
import { ActivityBar, type Day, Legend } from './activity-bar.tsx';
import { Attestations } from './attestations.tsx';
import { Corrections } from './corrections.tsx';
import { hours, TachographPage, useDrivers, Verdict } from './shared.tsx';

const route = getRouteApi('/tachograph/drivers/$id');
const SHOWN = ['driving', 'work', 'availability', 'rest', 'unknown'] as const;
const FORMATS = ['pdf', 'xlsx', 'csv'] as const;

const lastDayOf = (month: string): string => shiftDay(`${shiftDay(`${month}-01`, 31).slice(0, 7)}-01`, -1);

/** A month of a driver: a bar for each day, with what was found. Days are those of UTC, as tachographs have them. */
export function CalendarPage() {
  const { t, language } = useSession();
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/tachograph/drivers/$id' });
  const names = useDrivers();
  const month = search.month ?? new Date().toISOString().slice(0, 7);
  const [from, to] = [`${month}-01`, lastDayOf(month)];
  const activities = useQuery({
    queryKey: ['tachograph', 'activities', id, month],
    queryFn: async () => {
      const body = { driverId: id, from, to, format: 'json', lang: language } as const;
      const answer = await answerOf(
        api.POST('/v1/drivers/ddd/activities_file', { body, headers: { accept: 'application/json' } }),
      );
      if (typeof answer === 'string' || !('days' in answer)) throw new Error(t('tacho.noActivities'));
      return answer;
    },
    retry: false,
  });
  const found = useQuery({
    queryKey: ['tachograph', 'infringements', id, month],
    queryFn: async () => {
      const query = { driver_id: id, from, to, limit: 500 };
      return (await answerOf(api.GET('/v1/drivers/ddd/infringements', { params: { query } }))).items;
    },
  });
  const notices = useQuery({
    queryKey: ['tachograph', 'notices', id, month, language],
    queryFn: async () => {
      const query = { driver_id: id, from, to: shiftDay(to, 1), lang: language, limit: 500 };
      return (await answerOf(api.GET('/v1/drivers/ddd/notices', { params: { query } }))).items;
    },
  });
  const change = (to_: string): void => void navigate({ search: { month: to_ }, replace: true });
  return (
    <TachographPage title={names.get(id) ?? activities.data?.driver.name ?? id}>
      <div className="actions">
        <button type="button" onClick={() => change(shiftDay(from, -1).slice(0, 7))}>
          {t('tacho.previousMonth')}
        </button>
        <input
          type="month"
          aria-label={t('tacho.month')}
          value={month}
          onChange={(event) => event.target.value !== '' && change(event.target.value)}
        />
        <button type="button" onClick={() => change(shiftDay(to, 1).slice(0, 7))}>
          {t('tacho.nextMonth')}
        </button>
        <span className="quiet">{t('tacho.utc')}</span>
      </div>
      <Documents id={id} from={from} to={to} />
      <Corrections key={`${id} ${month}`} id={id} from={from} to={to} />
      <Attestations key={`${id} ${from}`} id={id} from={from} to={to} />
      <Loaded query={activities} waiting={<p>{t('loading')}</p>}>
        {(data) => (
          <>
            <Summary data={data} />
            <Legend />
            <Days days={data.days} infringements={found.data ?? []} notices={notices.data ?? []} />
          </>
        )}
      </Loaded>
    </TachographPage>
  );
}

function Documents({ id, from, to }: { id: string; from: string; to: string }) {
  const { t, language } = useSession();
  const { run, isRunning, result } = useAction(['nothing']);
  const save = (path: string, name: string, body: object): Promise<void> =>
    run(async () => {
      await saveFile({ path, name, body });
      return undefined;
    });
  const interval = { driverId: id, from, to, lang: language };
  return (
    <div className="actions">
      <span>{t('tacho.activities')}:</span>
      {FORMATS.map((format) => (
        <button
          key={format}
          type="button"
          disabled={isRunning}
          aria-label={`${t('tacho.activities')}: ${format.toUpperCase()}`}
          onClick={() =>
            void save('/v1/drivers/ddd/activities_file', `activities-${from}.${format}`, { ...interval, format })
          }
        >
          {format.toUpperCase()}
        </button>
      ))}
      <span>{t('tacho.rests')}:</span>
      {FORMATS.map((format) => (
        <button
          key={format}
          type="button"
          disabled={isRunning}
          aria-label={`${t('tacho.rests')}: ${format.toUpperCase()}`}
          onClick={() => void save('/v1/drivers/ddd/rests_file', `rests-${from}.${format}`, { ...interval, format })}
        >
          {format.toUpperCase()}
        </button>
      ))}
      <button
        type="button"
        disabled={isRunning}
        onClick={() => void save('/v1/drivers/ddd/roadside_set', 'roadside.zip', { driverId: id, lang: language })}
      >
        {t('tacho.roadside')}
      </button>
      {result}
    </div>
  );
}

interface Totals {
  readonly driving: number;
  readonly work: number;
  readonly availability: number;
  readonly rest: number;
  readonly unknown: number;
  readonly distanceKm: number;
}

function Summary({
  data: { totals, files },
}: {
  data: { totals: Totals; files: readonly { fileId: string; verdict: string }[] };
}) {
  const { t, number } = useSession();
  return (
    <dl className="card sums">
      {(['driving', 'work', 'availability', 'unknown'] as const).map((each) => (
        <div key={each}>
          <dt>{t(`activity.${each}`)}</dt>
          <dd>{hours(totals[each])}</dd>
        </div>
      ))}
      <div>
        <dt>{t('vehicle.distance')}</dt>
        <dd>{number(totals.distanceKm)} km</dd>
      </div>
      <div>
        <dt>{t('tacho.files')}</dt>
        <dd>
          {files.map(({ fileId, verdict }) => (
            <Link key={fileId} to="/tachograph/files/$id" params={{ id: fileId }}>
              <Verdict verdict={verdict} />
            </Link>
          ))}
        </dd>
      </div>
    </dl>
  );
}

interface Found {
  readonly id: string;
  readonly rule: string;
  readonly article: string;
  readonly severity: string | null;
  readonly from: string;
  readonly status: string;
}

interface Notice {
  readonly id: string;
  readonly text: string;
  readonly article: string | null;
  readonly from: string;
  readonly to: string;
}

/** Does it reach into the day? The end is not included. */
const isOn = (date: string, { from, to }: Notice): boolean =>
  from.slice(0, 10) <= date && (to > `${date}T00:00:00Z` || from.startsWith(date));

function Days({
  days,
  infringements,
  notices,
}: {
  days: readonly Day[];
  infringements: readonly Found[];
  notices: readonly Notice[];
}) {
  const { t, language } = useSession();
  const weekday = new Intl.DateTimeFormat(language === 'it' ? 'it-IT' : 'en-GB', { weekday: 'short', timeZone: 'UTC' });
  if (days.length === 0) return <p>{t('tacho.noActivities')}</p>;
  return (
    <ol className="calendar">
      {days.map((day) => {
        const found = infringements.filter(({ from }) => from.startsWith(day.date));
        return (
          <li key={day.date}>
            <div className="calendar-day">
              <strong>
                {weekday.format(new Date(`${day.date}T00:00:00Z`))} {day.date.slice(8)}
              </strong>
              <span className="quiet">{day.distanceKm > 0 ? `${day.distanceKm} km` : ''}</span>
            </div>
            <ActivityBar day={day} />
            <div className="calendar-text">
              <span className="quiet">
                {[
                  ...SHOWN.flatMap((each) =>
                    day.minutes[each] > 0 ? [`${t(`activity.${each}`)} ${hours(day.minutes[each])}`] : [],
                  ),
                  ...(day.manualEntries ? [t('tacho.manual')] : []),
                  ...day.vehicles,
                ].join(' · ')}
              </span>{' '}
              {day.corrected.map(({ correctionId, from, to, was, activity }) => (
                <span
                  key={`${correctionId} ${from}`}
                  className="tag"
                  title={`${t(`activity.${was}`)} → ${t(`activity.${activity}`)}`}
                >
                  {t('correction.shown', { from: from.slice(11, 16), to: to.slice(11, 16) })}
                </span>
              ))}
              {found.map(({ id, rule, severity }) => (
                <Link
                  key={id}
                  to="/tachograph/infringements"
                  search={{ from: day.date, to: day.date }}
                  className={`tag ${severity === 'MSI' || severity === 'VSI' ? 'bad' : 'warn'}`}
                >
                  {rule} {severity}
                </Link>
              ))}
              {notices
                .filter((notice) => isOn(day.date, notice))
                .map(({ id, text, article }) => (
                  <span key={id} className="tag warn" title={article ?? ''}>
                    {text}
                  </span>
                ))}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
