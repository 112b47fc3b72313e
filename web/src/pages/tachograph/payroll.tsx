import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useSession } from '../../session.tsx';
import { hours, TachographPage } from './shared.tsx';

const route = getRouteApi('/tachograph/payroll');
const FORMATS = ['pdf', 'xlsx', 'csv'] as const;
const MINUTES = [
  'drivingMin',
  'otherWorkMin',
  'availabilityMin',
  'workingMin',
  'ordinaryMin',
  'overtimeMin',
  'nightMin',
] as const;

type Month = Awaited<ReturnType<typeof readMonth>>['items'][number];

async function readMonth(month: string) {
  const answer = await answerOf(
    api.POST('/v1/drivers/ddd/lul_file', { body: { month, format: 'json' }, headers: { accept: 'application/json' } }),
  );
  if (typeof answer === 'string' || !('items' in answer)) throw new Error('no table');
  return answer;
}

/** A month for the payroll (Libro Unico del Lavoro). */
export function PayrollPage() {
  const { t, language } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/tachograph/payroll' });
  const month = search.month ?? new Date().toISOString().slice(0, 7);
  const { run, isRunning, result } = useAction(['nothing']);
  const query = useQuery({ queryKey: ['tachograph', 'lul', month], queryFn: () => readMonth(month), retry: false });
  const save = (kind: 'lul_file' | 'lul_internal_file', format: (typeof FORMATS)[number]): Promise<void> =>
    run(async () => {
      const body = { month, format, lang: language };
      await saveFile({ path: `/v1/drivers/ddd/${kind}`, name: `${kind}-${month}.${format}`, body });
      return undefined;
    });
  return (
    <TachographPage title={t('tacho.lul')}>
      <div className="filters">
        <input
          type="month"
          aria-label={t('tacho.month')}
          value={month}
          onChange={(event) =>
            event.target.value !== '' && void navigate({ search: { month: event.target.value }, replace: true })
          }
        />
        {FORMATS.map((format) => (
          <button key={format} type="button" disabled={isRunning} onClick={() => void save('lul_file', format)}>
            {format.toUpperCase()}
          </button>
        ))}
        <button type="button" disabled={isRunning} onClick={() => void save('lul_internal_file', 'xlsx')}>
          {t('tacho.lulInternal')}
        </button>
        {query.data !== undefined && <span className="quiet">{query.data.zone}</span>}
      </div>
      {result}
      <Listing query={query} items={query.data?.items} empty={t('tacho.noDrivers')}>
        {(items) => items.map((each) => <DriverMonth key={each.driver.id} month={each} />)}
      </Listing>
    </TachographPage>
  );
}

function DriverMonth({ month: { driver, days, totals, complete, fourMonths } }: { month: Month }) {
  const { t } = useSession();
  return (
    <section className="card" aria-label={driver.name}>
      <h2>
        {driver.name}{' '}
        <span className={`tag ${complete ? 'good' : 'warn'}`}>
          {complete ? t('tacho.complete') : t('tacho.dataMissing')}
        </span>
      </h2>
      <dl className="sums">
        {MINUTES.map((each) => (
          <div key={each}>
            <dt>{t(`lul.${each}`)}</dt>
            <dd>{hours(totals[each] ?? 0)}</dd>
          </div>
        ))}
        <div>
          <dt>{t('lul.fourMonths')}</dt>
          <dd>
            {fourMonths.meanWeeklyMin === null ? '–' : hours(fourMonths.meanWeeklyMin)} /{' '}
            {hours(fourMonths.limitWeeklyMin)}
          </dd>
        </div>
      </dl>
      <details>
        <summary>{t('tacho.eachDay')}</summary>
        <Table
          head={[
            t('vehicle.day'),
            t('lul.presence'),
            t('vehicle.start'),
            t('vehicle.end'),
            ...MINUTES.map((each) => t(`lul.${each}`)),
            'km',
          ]}
        >
          {days.map((day) => (
            <tr key={day.date}>
              <td>{day.date}</td>
              <td>{t(`presence.${day.presence}`)}</td>
              <td>{day.startClock}</td>
              <td>{day.endClock}</td>
              {MINUTES.map((each) => (
                <td key={each}>{hours(day[each])}</td>
              ))}
              <td>{day.km}</td>
            </tr>
          ))}
        </Table>
      </details>
    </section>
  );
}
