import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../api.ts';
import { useNow } from '../parts/now.ts';
import { Problem } from '../parts/problem.tsx';
import { DeviceState } from '../parts/status.tsx';
import { useSession } from '../session.tsx';

const route = getRouteApi('/devices');
const STATES = ['online', 'offline', 'unknown'] as const;
const PAGE = 100;

export function DevicesPage() {
  const { t, age, time } = useSession();
  const now = useNow();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/devices' });
  const state = STATES.find((each) => each === search.state);
  const list = useInfiniteQuery({
    queryKey: ['devices', state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => {
      const query = { limit: PAGE, ...(state && { state }), ...(pageParam && { cursor: pageParam }) };
      return answerOf(api.GET('/v1/devices', { params: { query } }));
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const devices = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <div className="page">
      <h1>{t('device.title')}</h1>
      <div className="filters">
        <select
          aria-label={t('device.state')}
          value={state ?? ''}
          onChange={(event) => void navigate({ search: { state: event.target.value || undefined }, replace: true })}
        >
          <option value="">
            {t('device.state')}: {t('map.all')}
          </option>
          {STATES.map((each) => (
            <option key={each} value={each}>
              {t(`device.${each}`)}
            </option>
          ))}
        </select>
        <button type="button" onClick={() => void list.refetch()}>
          {t('device.refresh')}
        </button>
      </div>
      {list.isError && <Problem error={list.error.message} retry={() => void list.refetch()} />}
      {list.isSuccess && devices.length === 0 && <p>{t('device.none')}</p>}
      {devices.length > 0 && (
        <div className="scroll">
          <table className="cards">
            <thead>
              <tr>
                <th>{t('vehicle.device')}</th>
                <th>{t('device.name')}</th>
                <th>{t('device.state')}</th>
                <th>{t('device.protocol')}</th>
                <th>{t('device.lastSeen')}</th>
                <th>{t('device.remote')}</th>
              </tr>
            </thead>
            <tbody>
              {devices.map((device) => (
                <tr key={device.imei}>
                  <td>
                    <Link to="/devices/$imei" params={{ imei: device.imei }}>
                      {device.imei}
                    </Link>
                  </td>
                  <td>{device.name ?? t('vehicle.none')}</td>
                  <td>
                    <DeviceState state={device.state} />
                  </td>
                  <td>{device.protocol ?? t('vehicle.none')}</td>
                  <td title={time(device.lastSeenAt)}>{age(device.lastSeenAt, now)}</td>
                  <td>{device.remote ?? t('vehicle.none')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {list.hasNextPage && (
        <button type="button" onClick={() => void list.fetchNextPage()}>
          {t('command.more')}
        </button>
      )}
    </div>
  );
}
