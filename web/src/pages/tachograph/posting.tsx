import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { countryCode } from '../../../../src/server/tachograph/engine/nations.ts';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Filters } from '../../parts/filters.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useSession } from '../../session.tsx';
import { Carriages } from './carriages.tsx';
import { DateRange, DriverLink, dateText, TachographPage, useInterval } from './shared.tsx';

const route = getRouteApi('/tachograph/posting');
const FORMATS = ['pdf', 'xlsx', 'csv'] as const;
const MINUTE_MS = 60_000;
const KINDS = { allowed: 'good', review: 'warn', 'not-allowed': 'bad' } as const;

async function readList(from: string, to: string) {
  const body = { from, to, format: 'json' } as const;
  const headers = { accept: 'application/json' };
  const answer = await answerOf(api.POST('/v1/drivers/ddd/posting_file', { body, headers }));
  if (typeof answer === 'string' || !('vehicles' in answer)) throw new Error('no list');
  return answer;
}
type Answer = Awaited<ReturnType<typeof readList>>;

/** Postings to declare, and the cabotage of each vehicle with what is left of it. */
export function PostingPage() {
  const { t, language } = useSession();
  const search = route.useSearch();
  const { from, to } = useInterval(search);
  const navigate = useNavigate({ from: '/tachograph/posting' });
  const { run, isRunning, result } = useAction(['nothing']);
  const list = useQuery({
    queryKey: ['tachograph', 'posting', from, to],
    queryFn: () => readList(from, to),
    retry: false,
  });
  const save = (format: (typeof FORMATS)[number]): Promise<void> =>
    run(async () => {
      const body = { from, to, format, lang: language };
      await saveFile({ path: '/v1/drivers/ddd/posting_file', name: `posting-${from}.${format}`, body });
      return undefined;
    });
  return (
    <TachographPage title={t('posting.title')}>
      <Filters>
        <DateRange
          from={from}
          to={to}
          onChange={(more) => void navigate({ search: (before) => ({ ...before, ...more }), replace: true })}
        />
        {FORMATS.map((format) => (
          <button key={format} type="button" disabled={isRunning} onClick={() => void save(format)}>
            {format.toUpperCase()}
          </button>
        ))}
      </Filters>
      {result}
      <p className="quiet">{t('posting.note')}</p>
      <Postings list={list} />
      <Cabotage list={list} />
      <Open vehicles={list.data?.vehicles ?? []} />
      <Carriages from={from} to={to} />
    </TachographPage>
  );
}

type List = UseQueryResult<Answer>;

interface Listed {
  readonly list: List;
}

function Postings({ list }: Listed) {
  const { t } = useSession();
  const items = list.data?.drivers.flatMap(({ postings, ...driver }) => postings.map((each) => ({ ...each, driver })));
  return (
    <section aria-label={t('posting.declarations')}>
      <h2>{t('posting.declarations')}</h2>
      <Listing query={list} items={items} empty={t('posting.none')}>
        {(rows) => (
          <Table
            head={[
              t('alarm.driver'),
              t('posting.host'),
              t('tacho.period'),
              t('posting.types'),
              t('posting.plates'),
              t('posting.licence'),
              t('posting.remarks'),
            ]}
          >
            {rows.map(({ driver, country, from, to, types, targhe, incomplete }) => (
              <tr key={`${driver.id} ${country} ${from}`}>
                <td>
                  <DriverLink id={driver.id} name={driver.name} month={from.slice(0, 7)} />
                </td>
                <td>{countryCode(country)}</td>
                <td>
                  {dateText(from)} – {dateText(to)}
                </td>
                <td>{types.map((type) => t(`posting.${type}`)).join(', ')}</td>
                <td>{targhe.join(', ')}</td>
                <td>{driver.licenceNumber}</td>
                <td>{incomplete && t('posting.incomplete')}</td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </section>
  );
}

function Cabotage({ list }: Listed) {
  const { t, time } = useSession();
  const items = list.data?.vehicles.flatMap(({ targa, complete, operations }) =>
    operations.map((each) => ({ ...each, targa, complete })),
  );
  return (
    <section aria-label={t('posting.counted')}>
      <h2>{t('posting.counted')}</h2>
      <Listing query={list} items={items} empty={t('posting.noCabotage')}>
        {(rows) => (
          <Table
            head={[
              t('share.vehicle'),
              t('posting.state'),
              t('posting.loaded'),
              t('posting.unloaded'),
              t('posting.number'),
              t('posting.until'),
              t('posting.status'),
              t('posting.remarks'),
            ]}
          >
            {rows.map(({ targa, complete, operation, country, number, until, status, remarks }) => (
              <tr key={`${targa} ${operation.id}`}>
                <td>{targa}</td>
                <td>{countryCode(country)}</td>
                <td>{time(operation.loadedAt)}</td>
                <td>{operation.unloadedAt === null ? t('vehicle.none') : time(operation.unloadedAt)}</td>
                <td>{number}</td>
                {/* the end of a period is midnight: the minute before is its last day */}
                <td>{until === null ? t('vehicle.none') : time(Date.parse(until.calendar) - MINUTE_MS)}</td>
                <td>
                  <span className={`tag ${KINDS[status]}`}>{t(`cabotage.${status}`)}</span>
                </td>
                <td>
                  {[
                    ...remarks.map((remark) => t(`cabotage.${remark}`)),
                    ...(complete ? [] : [t('posting.ownDrivers')]),
                  ].join('; ')}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </section>
  );
}

/** What vehicles may still do, and where they have to wait. */
function Open({ vehicles }: { vehicles: Answer['vehicles'] }) {
  const { t, time } = useSession();
  const lines = vehicles.flatMap(({ targa, open, coolingOff }) => [
    ...(open === null
      ? []
      : [
          t('posting.left', {
            targa,
            n: open.remaining,
            state: countryCode(open.country),
            until: time(Date.parse(open.until.calendar) - MINUTE_MS),
          }),
        ]),
    ...coolingOff.map(({ country, until }) =>
      t('posting.pause', { targa, state: countryCode(country), until: time(Date.parse(until.extended) - MINUTE_MS) }),
    ),
  ]);
  if (lines.length === 0) return null;
  return (
    <section className="card" aria-label={t('posting.now')}>
      <h2>{t('posting.now')}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
