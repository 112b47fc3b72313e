import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { NOTICE_KINDS } from '../../lists.ts';
import { Choice, Filters } from '../../parts/filters.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { type Cursor, usePages } from '../../parts/pages.ts';
import { useSession } from '../../session.tsx';
import { DateRange, DriverLink, hours, TachographPage, useDrivers, useInterval } from './shared.tsx';

const route = getRouteApi('/tachograph/notices');
const PAGE = 100;

interface Filter {
  readonly driver?: string | undefined;
  readonly kind?: (typeof NOTICE_KINDS)[number] | undefined;
  readonly from: string;
  readonly to: string;
}

const readPage = ({ driver, kind, from, to }: Filter, lang: 'en' | 'it', cursor: Cursor) => {
  const query = { from, to, lang, limit: PAGE, ...(driver && { driver_id: driver }), ...(kind && { kind }), ...cursor };
  return answerOf(api.GET('/v1/drivers/ddd/notices', { params: { query } }));
};

/** What has to be explained or entered, of all drivers: it is no infringement yet. */
export function NoticesPage() {
  const { t, time, language } = useSession();
  const search = route.useSearch();
  const names = useDrivers();
  const navigate = useNavigate({ from: '/tachograph/notices' });
  const filter: Filter = {
    driver: search.driver,
    kind: NOTICE_KINDS.find((each) => each === search.kind),
    ...useInterval(search),
  };
  const change = (more: Partial<Filter>): void =>
    void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const list = usePages(['tachograph', 'notices', filter, language], (cursor) => readPage(filter, language, cursor));
  return (
    <TachographPage title={t('tacho.notices')}>
      <Filters>
        <Choice
          label={t('alarm.driver')}
          values={[...names.keys()]}
          value={filter.driver}
          text={(id) => names.get(id) ?? id}
          onChange={(driver) => change({ driver })}
        />
        <Choice
          label={t('correction.kind')}
          values={NOTICE_KINDS}
          value={filter.kind}
          text={(each) => t(`notice.${each}`)}
          onChange={(kind) => change({ kind })}
        />
        <DateRange {...filter} onChange={change} />
      </Filters>
      <p className="quiet">{t('notice.note')}</p>
      <Listing
        query={list}
        items={list.data?.pages.flatMap(({ items }) => items)}
        empty={t('notice.none', { from: filter.from, to: filter.to })}
      >
        {(items) => (
          <Table head={[t('alarm.driver'), t('tacho.fact'), t('tacho.fromUntil'), t('tacho.length'), t('tacho.files')]}>
            {items.map((each) => (
              <tr key={each.id}>
                <td>
                  <DriverLink id={each.driverId} name={names.get(each.driverId)} month={each.from.slice(0, 7)} />
                </td>
                <td>
                  {each.text}
                  <div className="quiet">{each.article}</div>
                </td>
                <td>
                  {time(each.from)}
                  <div>{time(each.to)}</div>
                </td>
                <td>{hours(each.minutes)}</td>
                <td>{each.fileIds.length}</td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
      <WithoutCard from={filter.from} to={filter.to} names={names} />
    </TachographPage>
  );
}

interface WithoutCardProps {
  readonly from: string;
  readonly to: string;
  readonly names: ReadonlyMap<string, string>;
}

/** By the units of vehicles: nobody’s card tells who drove, the drivers before and after it can be asked. */
function WithoutCard({ from, to, names }: WithoutCardProps) {
  const { t, time } = useSession();
  const list = usePages(['tachograph', 'without-card', from, to], (cursor) => {
    const query = { from: `${from}T00:00:00Z`, to: `${to}T23:59:59Z`, limit: PAGE, ...cursor };
    return answerOf(api.GET('/v1/vehicles/ddd/without_card', { params: { query } }));
  });
  return (
    <section className="card" aria-label={t('withoutCard.title')}>
      <h2>{t('withoutCard.title')}</h2>
      <p className="quiet">{t('withoutCard.note')}</p>
      <Listing query={list} items={list.data?.pages.flatMap(({ items }) => items)} empty={t('withoutCard.none')}>
        {(items) => (
          <Table head={[t('share.vehicle'), t('tacho.fromUntil'), t('withoutCard.before'), t('withoutCard.after')]}>
            {items.map((each) => (
              <tr key={`${each.targa} ${each.from}`}>
                <td>
                  {each.targa}
                  <div className="quiet">{each.article}</div>
                </td>
                <td>
                  {time(each.from)}
                  <div>{each.to === null ? t('vehicle.none') : time(each.to)}</div>
                </td>
                {[each.driverBefore, each.driverAfter].map((id, n) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: both may be the same driver
                  <td key={n}>
                    {id === null ? (
                      t('vehicle.none')
                    ) : (
                      <DriverLink id={id} name={names.get(id)} month={each.from.slice(0, 7)} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </section>
  );
}
