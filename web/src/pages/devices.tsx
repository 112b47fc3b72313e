import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { answerOf, api } from '../api.ts';
import { useAction } from '../parts/action.tsx';
import { Choice, Filters } from '../parts/filters.tsx';
import { Listing, Table } from '../parts/listing.tsx';
import { reload } from '../parts/live.ts';
import { useNow } from '../parts/now.ts';
import { usePages } from '../parts/pages.ts';
import { DeviceState } from '../parts/status.tsx';
import { useSession } from '../session.tsx';

const route = getRouteApi('/devices');
const STATES = ['online', 'offline', 'unknown'] as const;
const PAGE = 100;
/** many devices may connect in a second */
const TOGETHER_MS = 1_000;

export function DevicesPage() {
  const { t, fleet, age, time, may } = useSession();
  const { run, isRunning, result } = useAction(['devices']);
  const now = useNow();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/devices' });
  const state = STATES.find((each) => each === search.state);
  const list = usePages(['devices', state], (cursor) => {
    const query = { limit: PAGE, ...(state && { state }), ...cursor };
    return answerOf(api.GET('/v1/devices', { params: { query } }));
  });
  const queries = useQueryClient();
  useEffect(() => {
    let timer: number | undefined;
    const end = fleet.onEvent(({ type }) => {
      if (type !== 'session' && type !== 'gap') return;
      timer ??= window.setTimeout(() => {
        timer = undefined;
        void reload(queries, ['devices']);
      }, TOGETHER_MS);
    });
    return () => {
      end();
      window.clearTimeout(timer);
    };
  }, [fleet, queries]);
  const register = async (imei: string): Promise<string> => {
    await answerOf(api.POST('/v1/devices', { body: { imei } }));
    return t('device.registered', { imei });
  };
  return (
    <div className="page">
      <h1>{t('device.title')}</h1>
      <Filters>
        <Choice
          label={t('device.state')}
          values={STATES}
          value={state}
          text={(each) => t(`device.${each}`)}
          onChange={(next) => void navigate({ search: { state: next }, replace: true })}
        />
        <button type="button" onClick={() => void list.refetch()}>
          {t('device.refresh')}
        </button>
        <Link to="/devices/setup">{t('device.setup')}</Link>
      </Filters>
      {result}
      <Listing query={list} items={list.data?.pages.flatMap(({ items }) => items)} empty={t('device.none')}>
        {(devices) => (
          <Table
            head={[
              t('vehicle.device'),
              t('device.name'),
              t('device.state'),
              t('device.protocol'),
              t('device.lastSeen'),
              t('device.remote'),
            ]}
          >
            {devices.map((device) => (
              <tr key={device.imei}>
                <td>
                  {device.state === 'unknown' ? (
                    device.imei
                  ) : (
                    <Link to="/devices/$imei" params={{ imei: device.imei }}>
                      {device.imei}
                    </Link>
                  )}
                </td>
                <td>{device.name ?? t('vehicle.none')}</td>
                <td>
                  <DeviceState state={device.state} />{' '}
                  {device.state === 'unknown' && may('devices:write') && (
                    <button
                      type="button"
                      disabled={isRunning}
                      aria-label={`${t('device.register')} ${device.imei}`}
                      onClick={() => void run(() => register(device.imei))}
                    >
                      {t('device.register')}
                    </button>
                  )}
                </td>
                <td>{device.protocol ?? t('vehicle.none')}</td>
                <td title={time(device.lastSeenAt)}>{age(device.lastSeenAt, now)}</td>
                <td>{device.remote ?? t('vehicle.none')}</td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </div>
  );
}
